/** A style sheet as the build makes it: a file's address, relative to the script. */
declare module 'sheet:*' {
  const file: string;
  export default file;
}
