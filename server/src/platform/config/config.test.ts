import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testPlatform } from '../../../test/fixtures/platform.ts'
import { openSecrets } from '../../devices/provisioning/index.ts'
import { systemRandom } from '../../foundation/kernel/index.ts'
import { profilesOn } from '../cli/serve.ts'
import { configTemplate, readConfig } from './config.ts'

const key = '5a'.repeat(32)

describe('the instance key in the environment', () => {
  it('is read, and stands in the template', () => {
    assert.equal(readConfig({ MILLRACE_INSTANCE_KEY: key }, '/').instanceKey, key)
    assert.equal(readConfig({ MILLRACE_INSTANCE_KEY: ' ' }, '/').instanceKey, undefined)
    assert.match(configTemplate(), /^MILLRACE_INSTANCE_KEY=$/m)
  })

  it('is what secrets are stored with', async (t) => {
    const { platform, businessId, connector } = await testPlatform(t, {
      own: 'sets the instance key',
      config: { instanceKey: key },
    })
    await platform.provisioning.authorities.create(businessId, connector.id, { use: false })
    const row = await platform.database.one<{ sealed_key: string }>(
      'select sealed_key from provisioning_authority',
      [],
    )
    const secrets = openSecrets({ dir: '/nonexistent', random: systemRandom, key })
    const opened = secrets.open(row?.sealed_key ?? '', `authority/${connector.id}`)
    assert.match(opened, /^-----BEGIN PRIVATE KEY-----/)
  })

  it('is refused where it is none', async (t) => {
    await assert.rejects(
      testPlatform(t, { own: 'sets the instance key', config: { instanceKey: 'short' } }),
      /MILLRACE_INSTANCE_KEY does not hold an instance key/,
    )
  })
})

describe('the compatibility profile', () => {
  const readProfiles = (env: Record<string, string>) => readConfig(env, '/').compatibility

  it('is on where it is set, and not where the demo is', () => {
    assert.deepEqual(readProfiles({}), [])
    assert.deepEqual(readProfiles({ MILLRACE_DEMO: 'on' }), [])
    assert.deepEqual(readProfiles({ MILLRACE_COMPATIBILITY: 'none' }), [])
    const on = { MILLRACE_COMPATIBILITY: 'onep' }
    assert.deepEqual(readProfiles(on), ['onep'])
    assert.deepEqual(readProfiles({ ...on, MILLRACE_DEMO: 'off' }), ['onep'])
    assert.throws(() => readProfiles({ MILLRACE_COMPATIBILITY: 'twop' }), /MILLRACE_COMPATIBILITY/)
  })

  it('is printed by the start', () => {
    assert.match(profilesOn({ compatibility: ['onep'] }), /onep is on \(MILLRACE_COMPATIBILITY\)/)
  })
})
