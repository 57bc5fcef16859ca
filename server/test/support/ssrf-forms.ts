import type { ScriptValue } from '../../src/scripting/index.ts'

/** Stands for the whole internet inside the namespace: the only addresses that may be reached. */
export const publicV4 = '192.0.43.8'
export const publicV6 = '2606:2800:220:1:248:1893:25c8:1946'

/** Addresses that listen inside the namespace, and that no script may reach. */
export const insideV4 = [
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.254',
  '192.168.1.1',
  '169.254.169.254',
  '168.63.129.16',
  '100.100.100.200',
  '100.64.0.1',
  '192.0.0.192',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '192.88.99.1',
  '240.0.0.1',
]
export const insideV6 = [
  'fd00:ec2::254',
  'fe80::1',
  'fec0::1',
  '64:ff9b::a00:1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::a00:1',
  '2002:a00:1::1',
  '2001:0:a00:1::1',
  '2001:db8::1',
  '3fff::1',
  '100::1',
  '5f00::1',
  '::7f00:1',
  '::ffff:0:a00:1',
]

/** Names of the namespace's own DNS. `rebind.test` gives them in turns, one a question. */
export const zone: Readonly<Record<string, readonly string[]>> = {
  'public.test': [publicV4],
  'public6.test': [publicV6],
  'private.test': ['10.0.0.1'],
  'loop.test': ['127.0.0.1'],
  'zero.test': ['0.0.0.0'],
  'mixed.test': [publicV4, '10.0.0.1'],
  'mixed-first.test': ['10.0.0.1', publicV4],
  'mixed6.test': [publicV4, 'fd00:ec2::254'],
  'ec2.test': ['fd00:ec2::254'],
  'mapped.test': ['::ffff:10.0.0.1'],
  'nat64.test': ['64:ff9b::a00:1'],
  'sixtofour.test': ['2002:a00:1::1'],
  'teredo.test': ['2001:0:a00:1::1'],
  'cgnat.test': ['100.64.0.1'],
  'metadata.google.internal': ['169.254.169.254'],
  'metadata.azure.internal': ['168.63.129.16'],
  'instance-data.ec2.internal': ['169.254.169.254'],
  localhost: ['127.0.0.1'],
  'app.localhost': ['127.0.0.1'],
  '10.0.0.1.nip.test': ['10.0.0.1'],
  'rebind.test': [publicV4, '10.0.0.1'],
  'fresh.test': [publicV4],
}
/** The server of these names says nothing at all. */
export const mute = /^mute\d+\.test$/
export const takingTurns: ReadonlySet<string> = new Set(['rebind.test'])

/** One way to try: the call, and what shows that it would lead inside if nobody minded. */
export type Form = {
  readonly name: string
  readonly url: string
  readonly operation?: string
  readonly args?: { readonly [key: string]: ScriptValue }
  /**
   * Where a client without a guard gets inside: the same URL where it is left out; null where no
   * client can, so that only the refusal is looked at.
   */
  readonly control?: string | null
  /** Calls, where one is not enough to be caught. */
  readonly times?: number
  /** A public address may have answered it. */
  readonly mayAnswer?: true
}

function literals(what: string, urls: readonly string[]): Form[] {
  return urls.map((url) => ({ name: `${what}: ${url}`, url }))
}

/** TCP goes to none of these, or the URL is none. */
function unreachable(what: string, urls: readonly string[]): Form[] {
  return urls.map((url) => ({ name: `${what}: ${url}`, url, control: null }))
}

const redirectTo = (to: string, status = 302) =>
  `http://public.test/redirect?status=${status}&to=${encodeURIComponent(to)}`

function redirects(urls: readonly string[]): Form[] {
  return urls.map((to) => ({ name: `redirect to ${to}`, url: redirectTo(to) }))
}

export const forms: readonly Form[] = [
  ...literals('loopback', [
    'http://127.0.0.1/',
    'http://127.1/',
    'http://127.0.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.0.0.1/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://0177.0.0.01/',
    'http://017700000001/',
    'http://127.0.0.1./',
    'http://127.255.255.254/',
    'http://%31%32%37.0.0.1/',
    'http://127%2e0%2e0%2e1/',
    'http://①②⑦.⓪.⓪.①/',
    'http://127。0。0。1/',
    'http://１２７．０．０．１/',
    'http:127.0.0.1/',
    'http:\\\\127.0.0.1\\',
    ' http://127.0.0.1/',
    'HTTP://127.0.0.1/',
    'http://[::1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::127.0.0.1]/',
  ]),
  ...literals('unspecified', [
    'http://0.0.0.0/',
    'http://0/',
    'http://[::]/',
    'http://[::ffff:0.0.0.0]/',
  ]),
  ...literals('private', [
    'http://10.0.0.1/',
    'http://10.1/',
    'http://167772161/',
    'http://0xa000001/',
    'http://012.0.0.1/',
    'http://172.16.0.1/',
    'http://172.31.255.254/',
    'http://192.168.1.1/',
    'http://[::ffff:10.0.0.1]/',
    'http://[::ffff:a00:1]/',
    'http://[0:0:0:0:0:ffff:a00:1]/',
    'http://[fec0::1]/',
  ]),
  ...literals('ports', [
    'http://10.0.0.1:8080/',
    'http://127.0.0.1:8080/',
    'http://127.0.0.1:08080/',
    'https://10.0.0.1/',
    'https://127.0.0.1/',
    'http://10.0.0.1:443/',
  ]),
  ...literals('translators', [
    'http://[64:ff9b::10.0.0.1]/',
    'http://[64:ff9b::169.254.169.254]/',
    'http://[64:ff9b:1::a00:1]/',
    'http://[2002:a00:1::1]/',
    'http://[2001:0:a00:1::1]/',
    'http://[::ffff:0:10.0.0.1]/',
  ]),
  ...literals('metadata', [
    'http://169.254.169.254/latest/meta-data/',
    'http://2852039166/',
    'http://0xa9fea9fe/',
    'http://0251.0376.0251.0376/',
    'http://169.254.43518/',
    'http://[::ffff:169.254.169.254]/',
    'http://[fd00:ec2::254]/latest/meta-data/',
    'http://168.63.129.16/metadata/instance',
    'http://100.100.100.200/latest/meta-data/',
    'http://192.0.0.192/opc/v1/instance/',
  ]),
  ...literals('reserved', [
    'http://100.64.0.1/',
    'http://198.18.0.1/',
    'http://198.51.100.1/',
    'http://203.0.113.1/',
    'http://192.88.99.1/',
    'http://240.0.0.1/',
    'http://[2001:db8::1]/',
    'http://[3fff::1]/',
    'http://[100::1]/',
    'http://[5f00::1]/',
  ]),
  ...unreachable('many at once', [
    'http://224.0.0.1/',
    'http://239.255.255.250/',
    'http://255.255.255.255/',
    'http://[ff02::1]/',
  ]),
  ...unreachable('zone ids', [
    'http://[fe80::1%lo]/',
    'http://[fe80::1%25lo]/',
    'http://[fe80::1]/',
    'http://fe80::1%lo/',
  ]),
  ...unreachable('other schemes', [
    'file:///etc/passwd',
    'file://10.0.0.1/etc/passwd',
    'ftp://10.0.0.1/',
    'gopher://10.0.0.1:80/_GET%20/',
    'data:text/plain,hello',
    'ws://10.0.0.1/',
    'blob:http://10.0.0.1/x',
    'unix:/run/docker.sock',
    'javascript:1',
    '//10.0.0.1/',
    'http://10.0.0.1:0/',
  ]),
  ...[
    'http://user:secret@10.0.0.1/',
    'http://public.test@10.0.0.1/',
    'http://public.test:80@10.0.0.1/',
    'http://public.test%2f@10.0.0.1/',
  ].map((url) => ({ name: `with a user: ${url}`, url, control: 'http://10.0.0.1/' })),
  ...literals('names', [
    'http://localhost/',
    'http://localhost./',
    'http://LOCALHOST/',
    'http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/',
    'http://app.localhost/',
    'http://private.test/',
    'http://private.test./',
    'http://loop.test/',
    'http://zero.test/',
    'http://10.0.0.1.nip.test/',
    'http://ec2.test/',
    'http://mapped.test/',
    'http://nat64.test/',
    'http://sixtofour.test/',
    'http://teredo.test/',
    'http://cgnat.test/',
    'http://metadata.google.internal/computeMetadata/v1/',
    'http://metadata.azure.internal/',
    'http://instance-data.ec2.internal/',
  ]),
  ...['http://mixed.test/', 'http://mixed-first.test/', 'http://mixed6.test/'].map((url) => ({
    name: `a public and a private address: ${url}`,
    url,
    control: null,
  })),
  {
    name: 'a name that changes its address from question to question',
    url: 'http://rebind.test/close',
    times: 20,
    mayAnswer: true,
  },
  ...redirects([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://10.0.0.1/',
    '//10.0.0.1/',
    'http://10.0.0.1:8080/',
    'http://private.test/',
    'http://169.254.169.254/latest/meta-data/',
    'http://168.63.129.16/',
    'http://100.100.100.200/',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://[fd00:ec2::254]/',
    'http://[64:ff9b::a00:1]/',
    'http://[2002:a00:1::1]/',
    'http://0.0.0.0/',
    'http://100.64.0.1/',
    'http://198.18.0.1/',
    'https://10.0.0.1/',
    redirectTo('http://10.0.0.1/'),
  ]),
  ...[301, 303, 307, 308].map((status) => ({
    name: `a ${status} to http://10.0.0.1/`,
    url: redirectTo('http://10.0.0.1/', status),
  })),
  ...['file:///etc/passwd', 'ftp://10.0.0.1/', 'gopher://10.0.0.1/', 'data:,x'].map((to) => ({
    name: `redirect to ${to}`,
    url: redirectTo(to),
    control: null,
  })),
  {
    name: 'redirect to http://user:secret@10.0.0.1/',
    url: redirectTo('http://user:secret@10.0.0.1/'),
    control: null,
  },
  {
    name: 'a redirected POST with a body',
    url: redirectTo('http://10.0.0.1/', 307),
    operation: 'post',
    args: { body: 'x' },
  },
  ...['head', 'post', 'put', 'patch', 'delete', 'options', 'request'].map((operation) => ({
    name: `${operation} to http://10.0.0.1/`,
    url: 'http://10.0.0.1/',
    operation,
  })),
  ...[
    ['http://{{h}}/', '10.0.0.1'],
    ['http://public.test{{h}}/', '@10.0.0.1'],
    ['http:{{h}}', '//10.0.0.1/'],
    ['{{h}}', 'http://10.0.0.1/'],
    ['http://public.test:{{h}}/', '80@10.0.0.1'],
  ].map(([url = '', value = '']) => ({
    name: `a credential that would change the host: ${url}`,
    url,
    args: { credentials: JSON.stringify({ h: value }) },
    control: null,
  })),
  {
    name: 'a Host header that names another host',
    url: 'http://public.test/',
    args: { headers: { Host: '10.0.0.1' } },
    control: null,
  },
  {
    name: 'a header that tries to send a second request',
    url: 'http://public.test/',
    args: { headers: { 'x-a': 'b\r\n\r\nGET http://10.0.0.1/ HTTP/1.1' } },
    control: null,
  },
]
