/** Runs the program several times in one process, for to load it takes far longer than what it then has to do. */
const [, , main, calls] = process.argv;
const write = process.stdout.write.bind(process.stdout);
const ended = [];
for (const [nth, args] of JSON.parse(calls).entries()) {
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    process[name].write = (text) => {
      said[name] += text;
      return true;
    };
  }
  process.argv = [process.execPath, main, ...args];
  const code = await new Promise((resolve, reject) => {
    process.exit = resolve;
    // Another address is another module: it runs anew, and what it imports is there already.
    import(`${main}?${nth}`).catch(reject);
  });
  ended.push({ code, ...said });
}
write(JSON.stringify(ended));
