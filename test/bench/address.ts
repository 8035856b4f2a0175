import type { ChildProcess } from 'node:child_process';

/** Reads the address from the log line `started`. Throws with the output if the process ends first. */
export async function addressOf(child: ChildProcess): Promise<string> {
  let output = '';
  for await (const chunk of child.stderr ?? []) {
    output += String(chunk);
    const address = /"address":"([^"]+)".*"msg":"started"/.exec(output)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error(`the gateway did not start:\n${output}`);
}
