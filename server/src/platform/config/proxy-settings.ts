import { isIP } from 'node:net'
import { commaList, parseWord } from '../../foundation/kernel/index.ts'

const listeners = ['http', 'device_tls', 'mqtt_tls', 'mqtt'] as const

/** The proxies in front of the instance that are believed, and in what. */
export type ProxySettings = {
  /** Addresses and CIDR ranges. */
  readonly trusted: readonly string[]
  /** The listeners whose connections from there begin with a header of the PROXY protocol. */
  readonly protocolOn: readonly (typeof listeners)[number][]
  readonly headers: 'x-forwarded' | 'forwarded'
  /** The header with a client's certificate that is believed; undefined: none. */
  readonly certificateHeader: 'client-cert' | 'x-client-cert' | undefined
}

export const proxySettings = [
  {
    name: 'MILLRACE_TRUSTED_PROXIES',
    default: '',
    meaning: 'Addresses and ranges (CIDR) of proxies that name their clients, with commas.',
  },
  {
    name: 'MILLRACE_PROXY_HEADERS',
    default: 'x-forwarded',
    meaning: 'What they name them by: x-forwarded (X-Forwarded-For, -Proto) or forwarded.',
  },
  {
    name: 'MILLRACE_PROXY_PROTOCOL',
    default: 'off',
    meaning: `Listeners on which they speak the PROXY protocol: ${listeners.join(', ')}; or off.`,
  },
  {
    name: 'MILLRACE_PROXY_CLIENT_CERT',
    default: 'off',
    meaning: 'Their header with a client certificate: client-cert, x-client-cert; or off.',
  },
] as const

type ProxySettingName = (typeof proxySettings)[number]['name']

/** @throws Error with a sentence that names the setting that is wrong. */
export function readProxies(value: (name: ProxySettingName) => string): ProxySettings {
  const trusted = commaList(value('MILLRACE_TRUSTED_PROXIES'))
  for (const range of trusted) {
    if (isRange(range)) continue
    throw new Error(
      `MILLRACE_TRUSTED_PROXIES has "${range}"; it should be addresses, or ranges as 10.0.0.0/8`,
    )
  }
  const headers = parseWord('MILLRACE_PROXY_HEADERS', value('MILLRACE_PROXY_HEADERS'), [
    'x-forwarded',
    'forwarded',
  ])
  const off = ['off', 'client-cert', 'x-client-cert'] as const
  const certificateHeader = parseWord(
    'MILLRACE_PROXY_CLIENT_CERT',
    value('MILLRACE_PROXY_CLIENT_CERT'),
    off,
  )
  const protocolOn = parseListeners(value('MILLRACE_PROXY_PROTOCOL'))
  if (protocolOn.length > 0 && trusted.length === 0) {
    throw new Error('MILLRACE_PROXY_PROTOCOL needs MILLRACE_TRUSTED_PROXIES: no proxy is trusted')
  }
  return {
    trusted,
    protocolOn,
    headers,
    certificateHeader: certificateHeader === 'off' ? undefined : certificateHeader,
  }
}

function parseListeners(text: string): ProxySettings['protocolOn'] {
  if (text === 'off') return []
  return commaList(text).map((name) => {
    const known = listeners.find((listener) => listener === name)
    if (known !== undefined) return known
    throw new Error(
      `MILLRACE_PROXY_PROTOCOL has "${name}"; it should be some of ${listeners.join(', ')}`,
    )
  })
}

function isRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || more.length > 0) return false
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
  )
}
