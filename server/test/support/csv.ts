import type { TestPlatform } from './platform.ts'

export type Uploaded = {
  readonly status: number
  readonly type: string | null
  readonly text: string
}

export type UploadOptions = {
  /** What stands behind the path, such as `?dry_run=true`. */
  readonly query?: string
  /** Fields of the form beside the file. */
  readonly fields?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly connectorId?: string
}

/** Sends a CSV file as the spec says: a multipart form with the file field `identities`. */
export async function upload(
  { httpUrl, token, connector }: TestPlatform,
  csv: string | Buffer,
  { query = '', fields = {}, headers = {}, connectorId = connector.id }: UploadOptions = {},
): Promise<Uploaded> {
  const form = new FormData()
  form.set('identities', new Blob([typeof csv === 'string' ? csv : new Uint8Array(csv)]), 'x.csv')
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  const response = await fetch(
    `${httpUrl}/api:1/service/${connectorId}/device2/identities${query}`,
    { method: 'POST', body: form, headers: { authorization: `Automation ${token}`, ...headers } },
  )
  const text = await response.text()
  return { status: response.status, type: response.headers.get('content-type'), text }
}
