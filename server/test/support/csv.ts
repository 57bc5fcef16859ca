import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import type { TestContext } from 'node:test'
import type { Connector, CsvFile, ImportInput } from '../../src/provisioning/index.ts'
import type { TestPlatform } from './platform.ts'
import { openWorld } from './provisioning.ts'

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

/** A CSV file in memory, in pieces of so many bytes. */
export function fileOf(csv: string | Buffer, pieceBytes = 65_536): CsvFile {
  const bytes = Buffer.from(csv as string)
  function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
  }
  return { open: () => Readable.from(pieces(), { objectMode: false }) }
}

/** A small reader of our own, so that the answer is not read by what wrote it. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let cells: string[] = []
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/gy
  while (cell.lastIndex < text.length) {
    const [, quoted, plain, end] = cell.exec(text) ?? assert.fail(`no CSV: ${text.slice(0, 99)}`)
    cells.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === ',') continue
    rows.push(cells)
    cells = []
  }
  return rows
}

/** A row with every cell quoted. */
export function quoted(...cells: readonly string[]): string {
  return `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\n`
}

/** The module over a database of its own, and what takes a file on one of its connectors. */
export async function csvWorld(t: Pick<TestContext, 'after'>) {
  const world = await openWorld(t as TestContext)
  // As the real one, it never says the same twice.
  world.clock.nowUs = () => {
    world.clock.us += 1
    return world.clock.us
  }
  async function take(connector: Connector, csv: string | Buffer, input: ImportInput = {}) {
    const file = fileOf(csv)
    const taken = await world.provisioning.identities.importCsv('b1', connector.id, file, input)
    let answer = ''
    for await (const text of taken.answer()) answer += text
    const [header = [], ...rows] = parseCsv(answer)
    return { header, rows, answer, counts: taken.counts() }
  }
  const get = (connector: Connector, identity: string) =>
    world.provisioning.identities.get('b1', connector.id, identity)
  return { ...world, take, get }
}
