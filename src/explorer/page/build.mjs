/** Bundles the explorer into `dist/explorer/page`. File names contain a hash of the content; each file is also written compressed. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'esbuild';
import { landOf } from './build-land.mjs';

const root = join(import.meta.dirname, '../../..');
const folder = join(root, 'dist/explorer/page');

/**
 * Makes every module that is loaded on demand import `main.tsx` first. At run time that has no effect. But esbuild then puts the code that they share
 * with the page into one file, and the page starts with a single script. Otherwise it would split off a file for each combination of modules.
 * The texts of a language (`index.ts`) share no code. The page waits for them, so they must not wait for the page.
 */
const parts = {
  name: 'parts',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) =>
      kind === 'dynamic-import' && !path.endsWith('/index.ts')
        ? { path: join(resolveDir, path), namespace: 'part' }
        : null,
    );
    onLoad({ filter: /./, namespace: 'part' }, ({ path }) => ({
      contents: `import './main.tsx'; export * from ${JSON.stringify(path)};`,
      resolveDir: import.meta.dirname,
    }));
  },
};

/** Resolves `land:FILE` to the address of the land that is made from a world-atlas file. */
const land = {
  name: 'land',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^land:/ }, ({ path }) => ({
      path: join(root, 'node_modules/world-atlas', path.slice('land:'.length)),
      namespace: 'land',
    }));
    onLoad({ filter: /./, namespace: 'land' }, ({ path }) => ({ contents: landOf(path), loader: 'file' }));
  },
};

/** Resolves `sheet:FILE` to the address of a style sheet that is loaded on demand. */
const sheets = {
  name: 'sheets',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^sheet:/ }, ({ path }) => ({
      path: join(import.meta.dirname, 'style', path.slice('sheet:'.length)),
      namespace: 'sheet',
    }));
    onLoad({ filter: /./, namespace: 'sheet' }, async ({ path }) => {
      const { outputFiles } = await build({ entryPoints: [path], bundle: true, minify: true, write: false });
      return { contents: outputFiles[0].text, loader: 'file' };
    });
  },
};

const { outputFiles, metafile } = await build({
  absWorkingDir: import.meta.dirname,
  entryPoints: { main: 'main.tsx', style: 'style/main.css', icon: 'style/icon.svg' },
  entryNames: '[name].[hash]',
  chunkNames: 'part.[hash]',
  assetNames: '[name].[hash]',
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
  plugins: [parts, land, sheets],
  legalComments: 'none',
  banner: { js: '/*! Licenses of what is bundled: licenses.txt beside this file */' },
});

/** Licenses of the bundled packages. */
const packages = new Set(
  Object.keys(metafile.inputs).flatMap((file) => file.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.slice(1) ?? []),
);
const notices = [...packages].sort().map((name) => {
  const home = join(root, 'node_modules', name);
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  return `${name} ${version}\n\n${readFileSync(join(home, 'LICENSE'), 'utf8').trim()}\n`;
});

/** The entry file only imports the shared file, so we drop it and give its name, `main`, to the shared file. */
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
    // Land is large, so we keep no plain copy. The rare client that accepts no compression gets it unzipped from the gzip file.
    if (!name.endsWith('.json')) writeFileSync(to, bytes);
    writeFileSync(`${to}.gz`, await promisify(gzip)(bytes, { level: 9 }));
    writeFileSync(`${to}.br`, await promisify(brotliCompress)(bytes, brotli));
  }),
);
