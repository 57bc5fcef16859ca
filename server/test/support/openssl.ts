import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'
import { atEnd } from './ends.ts'

const run = promisify(execFile)

/** The command openssl, in a folder of its own that is gone after the test. */
export type Openssl = {
  readonly dir: string
  /** What it says on standard output. */
  say(...args: string[]): Promise<string>
  path(name: string): string
  write(name: string, content: string | Buffer): Promise<string>
  read(name: string): Promise<string>
  /** A new key and its signing request, both PEM. */
  request(options: RequestOptions): Promise<{ csr: string; key: string }>
}

export type RequestOptions = {
  /** As openssl spells it: `/CN=d1`. */
  readonly subject: string
  readonly kind?: readonly string[]
  readonly extra?: readonly string[]
}

/** Arguments of `openssl genpkey`, by name. */
export const keyKinds = {
  ec: ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256'],
  p384: ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-384'],
  p521: ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-521'],
  rsa: ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'],
  ed25519: ['-algorithm', 'ED25519'],
} as const

export async function openOpenssl(t: Pick<TestContext, 'after'>): Promise<Openssl> {
  const dir = await mkdtemp(join(tmpdir(), 'millrace-openssl-'))
  atEnd(t, () => rm(dir, { recursive: true, force: true }))
  const path = (name: string) => join(dir, name)
  const say = async (...args: string[]) => (await run('openssl', args, { cwd: dir })).stdout
  let count = 0
  return {
    ...{ dir, path, say },
    async write(name, content) {
      await writeFile(path(name), content)
      return path(name)
    },
    read: (name) => readFile(path(name), 'utf8'),
    async request({ subject, kind = keyKinds.ec, extra = [] }) {
      count += 1
      const [keyFile, csrFile] = [path(`key-${count}.pem`), path(`csr-${count}.pem`)]
      await say('genpkey', ...kind, '-out', keyFile)
      const named = ['-subj', subject, '-utf8', '-out', csrFile]
      await say('req', '-new', '-key', keyFile, ...named, ...extra)
      return { csr: await readFile(csrFile, 'utf8'), key: await readFile(keyFile, 'utf8') }
    },
  }
}
