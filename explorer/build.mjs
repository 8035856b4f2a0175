/** Bundles the explorer into `dist/explorer/page`: files with the hash of their content in the name, each also compressed. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'dist/explorer/page');

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

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const files = [
  ...outputFiles.map(({ path, contents }) => [basename(path), contents]),
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
