/** Land as the build makes it: a file's address, relative to the script. */
declare module 'land:*' {
  const file: string;
  export default file;
}
