import { readFile } from 'node:fs/promises'
import { BlockList, isIPv4, isIPv6 } from 'node:net'
import { join } from 'node:path'
import { UsageError } from '../../command.ts'

/** The instance that simulated devices call. */
export type Target = {
  /** `http:` or `https:`, on loopback. */
  readonly url: URL
  /** The connector's host, which the devices send as `Host` and as the server name in TLS. */
  readonly host: string
  /** The CA that the devices trust, in PEM; undefined: the CAs of Node. */
  readonly ca: string | undefined
  /** The management API that signs certificates; undefined: neither in demo.json nor an option. */
  readonly api: { readonly url: URL; readonly token: string } | undefined
}

/** Overrides of the target; the rest is read from demo.json. */
export type TargetOptions = {
  readonly url?: string | undefined
  readonly host?: string | undefined
  readonly ca?: string | undefined
  readonly api?: string | undefined
  readonly token?: string | undefined
}

/** The used fields of `<data>/demo.json`, which `npm start` writes. */
type Demo = {
  readonly api: string
  readonly deviceHttp: string
  readonly deviceTls: string
  readonly caFile: string
  readonly connector: { readonly host: string }
  readonly token: string
}

/**
 * Finds the instance to call: the demo's, unless the options name another one.
 * @param encrypted selects the demo's HTTPS server, if the options have no URL.
 * @throws UsageError if it is unclear, or not on loopback.
 */
export async function findTarget(
  dataDir: string,
  options: TargetOptions,
  encrypted: boolean,
): Promise<Target> {
  const demo = await readDemo(join(dataDir, 'demo.json'))
  const url = options.url ?? (encrypted ? demo?.deviceTls : demo?.deviceHttp)
  const host = options.host ?? demo?.connector.host
  if (url === undefined || host === undefined) {
    throw new UsageError(
      `there is no demo.json in ${dataDir}: start the demo, or pass --url and --host`,
    )
  }
  // Another instance's certificate is not of the demo's authority.
  const caFile = options.ca ?? (options.url === undefined ? demo?.caFile : undefined)
  const api = options.api ?? demo?.api
  const token = options.token ?? demo?.token
  return {
    url: loopbackUrl('url', url),
    host,
    ca: caFile === undefined ? undefined : await readCa(caFile),
    api: api && token ? { url: loopbackUrl('api', api), token } : undefined,
  }
}

async function readDemo(file: string): Promise<Demo | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Demo
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`)
  }
}

async function readCa(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new UsageError(`--ca: ${(error as Error).message}`)
  }
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/**
 * An address of this machine. A name other than localhost is none, whatever it resolves to, and
 * localhost is not looked up.
 * @throws UsageError
 */
export function loopbackUrl(option: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`--${option} is an address such as http://127.0.0.1:8080`)
  }
  if (url.hostname === 'localhost') url.hostname = '127.0.0.1'
  const address = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const ours =
    (isIPv4(address) && loopback.check(address, 'ipv4')) ||
    (isIPv6(address) && loopback.check(address, 'ipv6'))
  if (ours) return url
  throw new UsageError(
    `--${option} ${text} is not on this machine: simulated devices call loopback addresses only`,
  )
}
