import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import tls from 'node:tls'
import { createClient, type MillraceClient } from '@millrace/client'
import { type Invocation, pathIn, UsageError } from '../invocation.ts'
import type { Connection, ConnectionOptions, LocalTls } from './connection.ts'
import { defaultProfile, type Profile, Profiles } from './profiles.ts'

/** No instance is named, none runs here, and the user is logged in to none. */
export class NoInstance extends UsageError {}

/**
 * Finds the instance: the options, then `MILLRACE_URL`, then the one that runs in the data folder
 * of this directory, then the login of the user.
 * @throws NoInstance where there is none, UsageError for a profile that is not there.
 */
export function findConnection(
  { url, profile }: ConnectionOptions,
  invocation: Pick<Invocation, 'env' | 'folder' | 'home'>,
): Connection {
  const { env } = invocation
  const { MILLRACE_URL: ownUrl, MILLRACE_TOKEN: apiToken, MILLRACE_PROFILE: name } = env
  const address = url ?? (profile === undefined ? ownUrl : undefined)
  if (address) {
    const source = url === undefined ? 'MILLRACE_URL' : '--url'
    checkAddress(source, address)
    return { url: address, source, ...(apiToken && { credential: { apiToken } }) }
  }
  const profiles = new Profiles(invocation)
  const wanted = profile ?? name
  if (wanted) {
    const found = profiles.find(wanted)
    if (found === undefined) {
      throw new UsageError(`there is no profile "${wanted}": millrace login --profile ${wanted}`)
    }
    return ofProfile(wanted, found)
  }
  const local = localInstance(invocation)
  if (local !== undefined) return local
  const kept = profiles.find(defaultProfile)
  if (kept !== undefined) return ofProfile(defaultProfile, kept)
  throw new NoInstance(
    'there is no instance: start one here (npm start), or log in to one: millrace login --url …',
  )
}

/** @throws UsageError if it is no address of a server; `source` names the option or the setting. */
export function checkAddress(source: string, address: string): void {
  if (/^https?:\/\//.test(address) && URL.canParse(address)) return
  throw new UsageError(`${source} is an address such as https://millrace.example.com: ${address}`)
}

function ofProfile(name: string, { url, apiToken, session, ca }: Profile): Connection {
  const credential =
    apiToken !== undefined ? { apiToken } : session !== undefined ? { session } : undefined
  return {
    url,
    source: `profile ${name}`,
    ...(credential !== undefined && { credential }),
    ...(ca !== undefined && { ca }),
  }
}

/** The fields that commands read from the file of a running instance. */
type OperatorFile = {
  readonly url: string
  readonly token: string
  readonly pid: number
  /** An older instance leaves it out. */
  readonly deviceTls?: LocalTls
}

/** The instance that runs on this machine, in the data directory that `npm start` would use. */
function localInstance({
  env,
  folder,
}: Pick<Invocation, 'env' | 'folder'>): Connection | undefined {
  const file = join(pathIn(folder, env.MILLRACE_DATA || '.millrace'), 'operator.json')
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
  const { url, token, pid, deviceTls } = JSON.parse(text) as OperatorFile
  if (!isRunning(pid)) return undefined
  const credential = { operatorToken: token }
  return { url, credential, source: file, ...(deviceTls !== undefined && { deviceTls }) }
}

/** A process that was killed leaves its file behind. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The operator's business, and how long an answer may take to begin. */
export type OpenOptions = {
  readonly business?: string | undefined
  readonly timeoutMs?: number
}

export function openClient(
  { url, credential, ca }: Connection,
  { business, timeoutMs }: OpenOptions = {},
): MillraceClient {
  if (ca !== undefined) trust(ca)
  return createClient({
    url,
    program: 'cli',
    ...(credential !== undefined && { credential }),
    ...(business !== undefined && { business }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  })
}

/** Trusts the authority of an instance, beside those that Node trusts. @throws UsageError */
export function trust(file: string): void {
  const pem = readCertificates(file)
  if (!('setDefaultCACertificates' in tls)) {
    throw new UsageError('--ca needs Node 22.19 or later; NODE_EXTRA_CA_CERTS works in all')
  }
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), pem])
}

function readCertificates(file: string): string {
  try {
    const pem = readFileSync(file, 'utf8')
    // It throws if there is none.
    new X509Certificate(pem)
    return pem
  } catch (error) {
    throw new UsageError(`--ca ${file} holds no certificate (PEM): ${(error as Error).message}`)
  }
}
