import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAllow } from './allow.ts'
import { judge, refusedAddress, refusedAmong } from './guard.ts'

const metadataV6 = 'fd00:ec2::254'

/** Nothing here is dialled: each URL meets the pure decision only. */
const hostile = [
  'http://127.0.0.1/',
  'http://127.0.0.1:9401/',
  'http://127.1/',
  'http://127.0.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.0.0.1/',
  'http://0177.0.0.1/',
  'http://017700000001/',
  'http://0x7f.1/',
  'http://127.0.0.1./',
  'http://%31%32%37.0.0.1/',
  'http://127.0.0.1',
  'http://①②⑦.⓪.⓪.①/',
  'http://127。0。0。1/',
  'http:\\\\127.0.0.1\\',
  'http:127.0.0.1/',
  'http://127.255.255.254/',
  'http://0/',
  'http://0.0.0.0:8080/',
  'http://[::]/',
  'http://[::1]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[::127.0.0.1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[0:0:0:0:0:ffff:a00:1]/',
  'http://[::ffff:0:127.0.0.1]/',
  'http://[64:ff9b::127.0.0.1]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://[64:ff9b:1::10.0.0.1]/',
  'http://[2002:7f00:1::]/',
  'http://[2002:a9fe:a9fe::1]/',
  'http://[2001:0:7f00:1::]/',
  'http://[2001:db8::1]/',
  'http://[3fff::1]/',
  'http://[fe80::1]/',
  'http://[fec0::1]/',
  'http://[fc00::1]/',
  `http://[${metadataV6}]/latest/meta-data/`,
  'http://[ff02::1]/',
  'http://[100::1]/',
  'http://[5f00::1]/',
  'http://169.254.169.254/latest/meta-data/',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://0251.0376.0251.0376/',
  'http://168.63.129.16/metadata/instance',
  'http://100.100.100.200/',
  'http://192.0.0.192/',
  'http://10.1.2.3/',
  'http://172.16.0.1/',
  'http://172.31.255.255/',
  'http://192.168.1.1/',
  'http://100.64.0.1/',
  'http://198.18.0.1/',
  'http://192.0.2.1/',
  'http://224.0.0.1/',
  'http://239.255.255.250/',
  'http://240.0.0.1/',
  'http://255.255.255.255/',
  'https://user@192.0.43.8/',
  'https://user:secret@example.com/',
  'http://example.com:0/',
  'file:///etc/passwd',
  'ftp://example.com/',
  'gopher://example.com/',
  'data:text/plain,hello',
  'ws://example.com/',
  'unix:/run/docker.sock',
]

test('hostile URLs are refused, or are no URLs', () => {
  assert.ok(hostile.length >= 40)
  for (const text of hostile) {
    const url = URL.parse(text)
    const verdict = url === null ? 'no URL' : judge(url, [])
    assert.equal(typeof verdict, 'string', `${text} passed`)
  }
})

test('a zone id is no URL, and no address that a lookup may answer', () => {
  assert.equal(URL.parse('http://[fe80::1%25eth0]/'), null)
  assert.equal(typeof refusedAddress('fe80::1%eth0'), 'string')
  assert.equal(typeof refusedAddress('2606:4700::1%lo'), 'string')
})

test('both sides of the borders of the refused ranges', () => {
  const borders: readonly [inside: string, outside: string][] = [
    ['10.0.0.0', '9.255.255.255'],
    ['10.255.255.255', '11.0.0.0'],
    ['127.0.0.0', '126.255.255.255'],
    ['127.255.255.255', '128.0.0.0'],
    ['172.16.0.0', '172.15.255.255'],
    ['172.31.255.255', '172.32.0.0'],
    ['100.64.0.0', '100.63.255.255'],
    ['100.127.255.255', '100.128.0.0'],
    ['169.254.0.0', '169.253.255.255'],
    ['192.168.255.255', '192.169.0.0'],
    ['168.63.129.16', '168.63.129.17'],
    ['198.19.255.255', '198.20.0.0'],
    ['224.0.0.0', '223.255.255.255'],
    ['2002:ffff::', '2003::'],
    ['2001:1ff::', '2001:200::'],
    ['1fff:ffff::', '2400::'],
    ['4000::', '3ffe::1'],
  ]
  for (const [inside, outside] of borders) {
    assert.equal(typeof refusedAddress(inside), 'string', `${inside} passed`)
    assert.equal(refusedAddress(outside), undefined, `${outside} was refused`)
  }
})

test('public places pass, with the port that their scheme means', () => {
  assert.deepEqual(judge(new URL('http://example.com/a'), []), { host: 'example.com', port: 80 })
  assert.deepEqual(judge(new URL('https://1.1.1.1/'), []), { host: '1.1.1.1', port: 443 })
  assert.deepEqual(judge(new URL('https://[2606:4700::1111]:8443/'), []), {
    host: '2606:4700::1111',
    port: 8443,
  })
})

test('an entry of the operator opens one host at one port, in any spelling', () => {
  const allow = parseAllow(['127.0.0.1:9401', '[::1]:9402', 'Insights.LAN:443', '10.0.0.7:*'])
  const passes = (url: string) => typeof judge(new URL(url), allow) !== 'string'
  assert.ok(passes('http://127.0.0.1:9401/'))
  assert.ok(passes('http://2130706433:9401/'))
  assert.ok(passes('http://[0:0::1]:9402/'))
  assert.ok(passes('http://10.0.0.7:1234/'))
  assert.ok(!passes('http://127.0.0.1:9402/'))
  assert.ok(!passes('http://127.0.0.2:9401/'))
  assert.ok(!passes('http://[::ffff:127.0.0.1]:9401/'))
  assert.ok(!passes('http://u:p@127.0.0.1:9401/'))
  assert.ok(!passes('ftp://127.0.0.1:9401/'))
})

test('one forbidden address refuses the name; an entry opens the name or the address', () => {
  const target = { host: 'insights.lan', port: 443 }
  assert.equal(refusedAmong(['1.1.1.1', '2606:4700::1'], target, []), undefined)
  assert.match(refusedAmong(['1.1.1.1', '10.0.0.1'], target, []) ?? '', /10\.0\.0\.1: private/)
  assert.equal(typeof refusedAmong([], target, []), 'string')
  assert.equal(refusedAmong(['10.0.0.1'], target, parseAllow(['insights.lan:443'])), undefined)
  assert.equal(refusedAmong(['10.0.0.1'], target, parseAllow(['10.0.0.1:443'])), undefined)
  assert.equal(typeof refusedAmong(['10.0.0.1'], target, parseAllow(['10.0.0.1:80'])), 'string')
})

test('an entry that cannot be read is refused at the start', () => {
  for (const entry of [
    '',
    'x',
    ':80',
    'x:',
    'x:0',
    'x:65536',
    'x:a',
    'a/b:80',
    '*:80',
    '*.lan:80',
    'u@x:80',
    'a b:1',
  ]) {
    assert.throws(() => parseAllow([entry]), { code: 'invalid_argument' }, entry)
  }
})
