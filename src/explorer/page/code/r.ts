import { indented, type Program } from './wanted.ts';

/** A script for R 4 with httr2 and jsonlite. */
export const r: Program = (wanted) => {
  const header = wanted.hasToken ? ' |>\n  req_headers(Authorization = Sys.getenv("TOKEN"))' : '';
  // httr2 does not install jsonlite, so we load both.
  const packages = ['httr2', ...(wanted.kind === 'file' ? [] : ['jsonlite'])];
  const request = `${packages.map((name) => `library(${name})\n`).join('')}
response <- request(${JSON.stringify(wanted.url)})${header}`;
  if (wanted.kind === 'file')
    return `${request} |>\n  req_perform(path = "records.csv")\nrecords <- read.csv("records.csv")`;
  const json = indented(wanted.params);
  return `${request} |>
  req_body_raw(${raw(json)}, "application/json") |>
  req_perform()
result <- fromJSON(resp_body_string(response), bigint_as_char = TRUE)$result
print(result${wanted.kind === 'records' ? '$records' : ''})`;
};

/** A raw string, with as many dashes as its content needs. */
function raw(text: string): string {
  let dashes = '';
  while (text.includes(`)${dashes}"`)) dashes += '-';
  return `r"${dashes}(${text})${dashes}"`;
}
