/** A style sheet as the build makes it: the address of a file, relative to the script. */
declare module 'sheet:*' {
  const file: string;
  export default file;
}
