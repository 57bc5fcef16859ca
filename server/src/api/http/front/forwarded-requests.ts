import { X509Certificate } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import {
  Fault,
  LruMap,
  limits,
  namePeer,
  peerOfSocket,
  plainAddress,
  requestIdIn,
} from '../../../foundation/kernel/index.ts'

/** The proxies that are believed, and in what. */
export type TrustedProxies = {
  /** Addresses and CIDR ranges. */
  readonly trusted: readonly string[]
  /** The listeners whose connections from there begin with a header of the PROXY protocol. */
  readonly protocolOn: readonly ('http' | 'device_tls' | 'mqtt_tls' | 'mqtt')[]
  /** The headers that name the client: `X-Forwarded-For` and `-Proto`, or `Forwarded`. */
  readonly headers: 'x-forwarded' | 'forwarded'
  /** The header with a client's certificate that is believed. */
  readonly certificateHeader: 'client-cert' | 'x-client-cert' | undefined
}

/** Returns a function that checks whether an address is that of a trusted proxy. */
export function createTrust(ranges: readonly string[]): (address: string) => boolean {
  if (ranges.length === 0) return () => false
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return (address) => {
    const version = isIP(address)
    return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6')
  }
}

type Hop = { readonly ip: string | undefined; readonly proto: string | undefined }

/**
 * Names the client of requests that come from trusted proxies, by their headers. In a chain of
 * proxies the client is the last address, read from the right, that is no trusted proxy's: anybody
 * can have written the addresses left of it.
 */
export class ForwardedRequests {
  readonly #settings: TrustedProxies
  readonly #isTrusted: (address: string) => boolean
  readonly #certificates = new LruMap<string, X509Certificate>(limits.proxiedClientsMax)

  constructor(settings: TrustedProxies, isTrusted: (address: string) => boolean) {
    this.#settings = settings
    this.#isTrusted = isTrusted
  }

  /** @throws Fault `malformed_request` if the certificate of the proxy's client is none. */
  name(message: IncomingMessage): void {
    if (this.#settings.trusted.length === 0) return
    const { ip } = peerOfSocket(message.socket)
    if (!this.#isTrusted(ip)) return
    const hops = this.#readHops(message)
    if (hops === undefined) return
    const client = this.#findClient(hops, ip)
    const [certificate, text] = this.#readCertificate(message)
    const encrypted = client.proto === 'https' || client.proto === 'wss'
    const forwarded = { certificate, key: `${client.ip} ${encrypted} ${text}` }
    namePeer(message, { ip: client.ip ?? ip, encrypted, serverName: '', forwarded })
  }

  /** Returns the `X-Request-Id` that a trusted proxy gave a request; undefined if none did. */
  readRequestId(message: IncomingMessage): string | undefined {
    return this.isFromProxy(message) ? requestIdIn(message) : undefined
  }

  /** Returns whether a trusted proxy sent it. */
  isFromProxy({ socket }: IncomingMessage): boolean {
    return this.#settings.trusted.length > 0 && this.#isTrusted(peerOfSocket(socket).ip)
  }

  /** The hops from the client to the nearest proxy; undefined if the request names none. */
  #readHops({ headers }: IncomingMessage): readonly Hop[] | undefined {
    if (this.#settings.headers === 'forwarded') {
      const { forwarded } = headers
      return forwarded === undefined ? undefined : hopsInForwarded(forwarded)
    }
    const chain = joinHeader(headers['x-forwarded-for'])
    if (chain === undefined) return undefined
    const addresses = chain.split(',')
    const protos = joinHeader(headers['x-forwarded-proto'])?.toLowerCase().split(',') ?? []
    const isAligned = protos.length === addresses.length
    return addresses.map((address, at) => {
      return { ip: addressIn(address), proto: protos.at(isAligned ? at : -1)?.trim() }
    })
  }

  #findClient(hops: readonly Hop[], nearest: string): { ip: string; proto: string | undefined } {
    let client: { ip: string; proto: string | undefined } = { ip: nearest, proto: undefined }
    for (const { ip, proto } of hops.toReversed()) {
      // A proxy that hides its client is all that is known.
      if (ip === undefined) return { ip: client.ip, proto }
      client = { ip, proto }
      if (!this.#isTrusted(ip)) return client
    }
    return client
  }

  #readCertificate({ headers }: IncomingMessage): [X509Certificate | undefined, string] {
    const { certificateHeader } = this.#settings
    const text = certificateHeader && joinHeader(headers[certificateHeader])
    // If there is no certificate, a proxy may send the empty sequence.
    if (text === undefined || text === '' || text === '::') return [undefined, '']
    // A proxy that adds its header leaves the one that its client wrote; Node joins the two.
    if (text.includes(',')) throw unreadable('The proxy forwards two certificates.')
    const known = this.#certificates.get(text)
    if (known !== undefined) return [known, text]
    const certificate = parseCertificate(text)
    this.#certificates.set(text, certificate)
    return [certificate, text]
  }
}

function joinHeader(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(',') : value
}

/** RFC 7239: `for=192.0.2.1;proto=https, for="[2001:db8::1]:4711"`. */
function hopsInForwarded(header: string): Hop[] {
  return header.split(',').map((element) => {
    const pairs = element.split(';').map((pair) => {
      const [name = '', value = ''] = pair.split(/=(.*)/s)
      return [name.trim().toLowerCase(), value.trim().replace(/^"(.*)"$/, '$1')] as const
    })
    const fields = new Map(pairs)
    return {
      ip: addressIn(fields.get('for') ?? ''),
      proto: fields.get('proto')?.toLowerCase(),
    }
  })
}

/** An address with or without a port; undefined if it is hidden. */
function addressIn(text: string): string | undefined {
  const trimmed = text.trim()
  const [, inBrackets] = /^\[([^\]]+)\](?::\d+)?$/.exec(trimmed) ?? []
  const bare = inBrackets ?? (isIP(trimmed) === 6 ? trimmed : trimmed.replace(/:\d+$/, ''))
  const address = plainAddress(bare)
  return isIP(address) === 0 ? undefined : address
}

/** RFC 9440: the DER as `:base64:`; others send base64 alone, or PEM with percent signs. */
function parseCertificate(text: string): X509Certificate {
  try {
    if (text.includes('BEGIN')) return new X509Certificate(decodeURIComponent(text))
    const [, encoded = text] = /^:(.*):$/.exec(text) ?? []
    return new X509Certificate(Buffer.from(encoded, 'base64'))
  } catch (cause) {
    throw unreadable('The certificate that the proxy forwards cannot be read.', cause)
  }
}

function unreadable(sentence: string, cause?: unknown): Fault {
  return new Fault('malformed_request', sentence, { cause })
}
