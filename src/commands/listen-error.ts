/** Turns an error from `listen` into one that says why the port cannot be opened, and which setting to change. */
export function listenError(error: unknown, which: 'server' | 'admin', at: { host: string; port: number }): Error {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  const port = which === 'server' ? '--port or server.port' : 'admin.port';
  const words: Readonly<Record<string, string>> = {
    EADDRINUSE: `another program listens on port ${at.port} of ${at.host}: choose another port with ${port}`,
    EACCES: `this user may not listen on port ${at.port}: choose another port, above 1023, with ${port}`,
    EADDRNOTAVAIL: `${at.host} is no address of this machine: choose another with ${which}.host`,
    ENOTFOUND: `the host name ${at.host} is not known: choose an address with ${which}.host`,
  };
  const says = words[String(code)];
  if (says !== undefined) return new Error(says, { cause: error });
  return error instanceof Error ? error : new Error(String(error));
}
