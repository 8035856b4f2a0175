// Hooks of Node's module loader: one module of the program is loaded from another text, which has a mistake in it.
let planted;

export function initialize(data) {
  planted = data;
}

export function load(url, context, next) {
  return url === planted.url ? { format: 'module', source: planted.source, shortCircuit: true } : next(url, context);
}
