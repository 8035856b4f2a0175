// Hooks of Node's module loader: the MCP conformance package imports `globSync`, which Node 20 lacks, for a command that we don't run.
export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (!url.endsWith('/conformance/dist/index.js')) return loaded;
  return { ...loaded, source: String(loaded.source).replace(/globSync as \w+,/, '') };
}
