/** Land as the build makes it: the address of a file, relative to the script. */
declare module 'land:*' {
  const file: string;
  export default file;
}
