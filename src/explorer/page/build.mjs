/** Bundles the explorer into `dist/explorer/page`: files with the hash of their content in the name, each also compressed. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '../../..');
const folder = join(root, 'dist/explorer/page');

/**
 * Lets all that is loaded later import the program first. It changes nothing when they run. But the code that they share with the
 * program is then one file with all of the program, and the page begins with one script. Otherwise esbuild would make a file for
 * each set of parts.
 */
const parts = {
  name: 'parts',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) =>
      kind === 'dynamic-import' ? { path: join(resolveDir, path), namespace: 'part' } : null,
    );
    onLoad({ filter: /./, namespace: 'part' }, ({ path }) => ({
      contents: `import './main.tsx'; export * from ${JSON.stringify(path)};`,
      resolveDir: import.meta.dirname,
    }));
  },
};

const { outputFiles, metafile } = await build({
  absWorkingDir: import.meta.dirname,
  entryPoints: { main: 'main.tsx', style: 'style/main.css', icon: 'style/icon.svg' },
  entryNames: '[name].[hash]',
  chunkNames: 'part.[hash]',
  outdir: folder,
  bundle: true,
  splitting: true,
  minify: true,
  write: false,
  metafile: true,
  format: 'esm',
  target: 'es2023',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  loader: { '.svg': 'copy' },
  plugins: [parts],
  legalComments: 'none',
  banner: { js: '/*! Licenses of what is bundled: licenses.txt beside this file */' },
});

/** The notices of the packages of which something is bundled. */
const packages = new Set(
  Object.keys(metafile.inputs).flatMap((file) => file.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.slice(1) ?? []),
);
const notices = [...packages].sort().map((name) => {
  const home = join(root, 'node_modules', name);
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  return `${name} ${version}\n\n${readFileSync(join(home, 'LICENSE'), 'utf8').trim()}\n`;
});

/** The entry itself is one import of that file, which takes its name. */
const isEntry = ({ path }) => /main\.\w+\.js$/.test(path);
const [, program] = outputFiles.find(isEntry).text.match(/import"\.\/(part\.\w+\.js)"/);
const renamed = (text) => text.replaceAll(program, program.replace('part', 'main'));

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const files = [
  ...outputFiles
    .filter((one) => !isEntry(one))
    .map(({ path, text }) => [renamed(basename(path)), Buffer.from(renamed(text))]),
  ['licenses.txt', Buffer.from(notices.join(`\n${'-'.repeat(80)}\n\n`))],
];
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
await Promise.all(
  files.map(async ([name, bytes]) => {
    const to = join(folder, name);
    writeFileSync(to, bytes);
    writeFileSync(`${to}.gz`, await promisify(gzip)(bytes, { level: 9 }));
    writeFileSync(`${to}.br`, await promisify(brotliCompress)(bytes, brotli));
  }),
);
