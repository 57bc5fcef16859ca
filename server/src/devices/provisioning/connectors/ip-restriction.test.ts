import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Fault } from '../../../foundation/kernel/index.ts'
import { provisioningLimits } from '../limits.ts'
import { allowsAddress, anywhere, parseIpRestriction } from './ip-restriction.ts'

const only = (...allowed: string[]) => parseIpRestriction({ enabled: true, allowed }, anywhere)

describe('the addresses that may be provisioned', () => {
  const rows: [allowed: string[], inside: string[], outside: string[]][] = [
    [['10.1.2.3'], ['10.1.2.3', '::ffff:10.1.2.3'], ['10.1.2.4', '::1', '']],
    [['10.0.0.0/8'], ['10.0.0.0', '10.255.255.255'], ['9.255.255.255', '11.0.0.0', 'fe80::1']],
    [['192.168.1.77/24'], ['192.168.1.0', '192.168.1.255'], ['192.168.2.0']],
    [['192.168.1.128/25'], ['192.168.1.128'], ['192.168.1.127']],
    [['0.0.0.0/0'], ['1.2.3.4', '::ffff:1.2.3.4'], ['2001:db8::1']],
    [['2001:db8::/32'], ['2001:db8::1', '2001:DB8:ffff::'], ['2001:db9::', '10.0.0.1']],
    [['2001:db8::5'], ['2001:0db8:0:0::5'], ['2001:db8::6']],
    [['fe80::/10'], ['fe80::1%eth0', 'fe80::1'], ['2001:db8::1']],
    [['::/0'], ['::1', '2001:db8::1'], ['10.0.0.1']],
    [['10.0.0.1', '2001:db8::/64'], ['10.0.0.1', '2001:db8::9'], ['10.0.0.2']],
    [[], [], ['10.0.0.1', '::1', 'somewhere']],
  ]
  for (const [allowed, inside, outside] of rows) {
    it(`are those of ${allowed.join(' and ') || 'an empty list'}`, () => {
      const restriction = only(...allowed)
      for (const ip of inside) assert.equal(allowsAddress(restriction, ip), true, ip)
      for (const ip of outside) assert.equal(allowsAddress(restriction, ip), false, ip)
    })
  }

  it('are all while the restriction is off, whatever is in the list', () => {
    const off = parseIpRestriction({ allowed: ['10.0.0.1'] }, anywhere)
    assert.equal(allowsAddress(off, '192.0.2.1'), true)
  })

  it('keep what is not named in a change', () => {
    const restriction = parseIpRestriction({ enabled: false }, only('10.0.0.1'))
    assert.deepEqual(restriction, { enabled: false, allowed: ['10.0.0.1'] })
  })
})

describe('an entry that is no address', () => {
  const odd: unknown[] = [
    ...['', 'localhost', '10.0.0', '010.0.0.1', '10.0.0.256', '10.0.0.1:80', ' 10.0.0.1', '*'],
    ...['10.0.0.0/33', '10.0.0.0/', '10.0.0.0/08', '10.0.0.0/-1', '10.0.0.0/8/8', '10.0.0.0-9'],
    ...['2001:db8::/129', '::ffff:10.0.0.1', '::FFFF:10.0.0.0/104', 'fe80::1%eth0', '[::1]', 'g::'],
    ...[null, 7, {}, ['10.0.0.1'], 'x'.repeat(1_000_000), '10.0.0.1\0'],
  ]
  for (const entry of odd) {
    it(`is refused by name: ${JSON.stringify(entry).slice(0, 30)}`, () => {
      const parse = () => parseIpRestriction({ allowed: ['10.0.0.1', entry] }, anywhere)
      assert.throws(parse, (error) => {
        assert.ok(error instanceof Fault)
        assert.equal(error.code, 'invalid_argument')
        assert.match(error.detail, /^ipRestriction\.allowed(\[1\])? /)
        return error.detail.length < 400
      })
    })
  }

  it('is refused with its rule, and is shown as it was written', () => {
    const rows: [entry: string, says: string][] = [
      ['localhost', 'is neither an address nor a CIDR range such as 10.0.0.0/8: "localhost"'],
      ['10.0.0.0/33', 'must end in /0 to /32: "10.0.0.0/33"'],
      ['2001:db8::/129', 'must end in /0 to /128: "2001:db8::/129"'],
      ['::ffff:10.0.0.1', 'must be written as the IPv4 address that it is: "::ffff:10.0.0.1"'],
    ]
    for (const [entry, says] of rows) {
      const message = `ipRestriction.allowed ${says}`
      const parse = () => parseIpRestriction({ allowed: [entry] }, anywhere)
      assert.throws(parse, (error) => error instanceof Fault && error.detail === message, says)
    }
    for (const entry of [7, null]) {
      const parse = () => parseIpRestriction({ allowed: [entry] }, anywhere)
      assert.throws(parse, /ipRestriction\.allowed\[0\] must be an address or a CIDR range$/)
    }
  })

  it('is refused where there are too many, or no list at all', () => {
    const many = Array.from(
      { length: provisioningLimits.allowedAddressesMax + 1 },
      () => '10.0.0.1',
    )
    for (const allowed of [many, '10.0.0.1', null, { 0: '10.0.0.1' }]) {
      assert.throws(() => parseIpRestriction({ allowed }, anywhere), Fault)
    }
    for (const input of [null, [], 'on', { enabled: 'yes' }, { enabled: true, more: 1 }]) {
      assert.throws(() => parseIpRestriction(input, anywhere), Fault)
    }
  })
})
