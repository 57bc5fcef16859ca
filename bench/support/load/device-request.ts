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

const temperature = (at: number) => `temperature=${(at % 400) / 10}`

/** Returns a request for each device, as its firmware sends it. */
export function makeWriteRequests({ host, tokens }: Fleet, valuesOf = temperature): string[] {
  return tokens.map((token, at) => writeRequest(host, [tokenLine(token)], valuesOf(at)))
}

type Fleet = { readonly host: string; readonly tokens: readonly string[] }
