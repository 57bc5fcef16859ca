/** A write as a device's firmware sends it. `credential` are whole header lines. */
export function writeRequest(host: string, credential: readonly string[], values: string): string {
  return [
    'POST /vendor:v1/stack/alias HTTP/1.1',
    `Host: ${host}`,
    ...credential,
    'Content-Type: application/x-www-form-urlencoded; charset=utf-8',
    `Content-Length: ${values.length}`,
    '',
    values,
  ].join('\r\n')
}

/** The header line of a device's token. */
export const tokenLine = (token: string) => `X-vendor-CIK: ${token}`
