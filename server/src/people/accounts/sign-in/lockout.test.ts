import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { toNetwork } from './lockout.ts'

test('IPv6 addresses of one /64 are one, and IPv4 addresses each their own', () => {
  assert.equal(toNetwork('2001:db8:0:1::5'), toNetwork('2001:0db8::1:ffff:0:0:9'))
  assert.equal(toNetwork('2001:db8::1'), '2001:db8:0:0::/64')
  assert.equal(toNetwork('::1'), '0:0:0:0::/64')
  assert.equal(toNetwork('fe80::1%eth0'), 'fe80:0:0:0::/64')
  assert.equal(toNetwork('::ffff:192.0.2.7'), '192.0.2.7')
  assert.equal(toNetwork('192.0.2.7'), '192.0.2.7')
})
