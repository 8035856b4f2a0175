import { indented, type Program } from './wanted.ts';

/** A script for PowerShell 5.1 and newer. */
export const powershell: Program = (wanted) => {
  const header = wanted.hasToken ? ' -Headers @{ Authorization = $env:TOKEN }' : '';
  const uri = quoted(wanted.url);
  if (wanted.kind === 'file') return `Invoke-WebRequest -Uri ${uri}${header} -OutFile records.csv`;
  return `$body = ${quoted(indented(wanted.params))}
$response = Invoke-RestMethod -Method Post -Uri ${uri}${header} \`
  -ContentType 'application/json; charset=utf-8' -Body ([Text.Encoding]::UTF8.GetBytes($body))
$response.result${wanted.kind === 'records' ? '.records | Format-Table' : ' | ConvertTo-Json -Depth 9'}`;
};

/** In a single-quoted string, PowerShell only treats quotes as special, but it accepts several Unicode quotes as such. We double each of them. */
const quoted = (text: string): string => `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`;
