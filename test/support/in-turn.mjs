/** Runs the program several times in one process, because loading it takes much longer than running it. */
const [, , main, calls] = process.argv;
const write = process.stdout.write.bind(process.stdout);
const ended = [];
for (const [nth, args] of JSON.parse(calls).entries()) {
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    process[name].write = (text) => {
      output[name] += text;
      return true;
    };
  }
  process.argv = [process.execPath, main, ...args];
  const code = await new Promise((resolve, reject) => {
    process.exit = resolve;
    // Another query string makes it another module to Node, so it runs again, while its imports are already loaded.
    import(`${main}?${nth}`).catch(reject);
  });
  ended.push({ code, ...output });
}
write(JSON.stringify(ended));
