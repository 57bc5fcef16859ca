import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { scriptingLimits } from '../../../../src/scripts/scripting/index.ts'
import { solutionContentLimits } from '../../../../src/scripts/services/content/index.ts'
import { timerLimits } from '../../../../src/scripts/services/timer/index.ts'
import { webserviceLimits } from '../../../../src/scripts/services/webservice/index.ts'
import { notificationFixture } from '../../../fixtures/notification.ts'
import { assertFault, assertStatus } from '../../../fixtures/solutions.ts'
import { sharedFixture } from '../../../fixtures/suite.ts'

const [fixture, shareInstance] = sharedFixture((suite) => notificationFixture(suite))

const most: Readonly<Record<string, number>> = {
  ...limits,
  ...scriptingLimits,
  ...solutionContentLimits,
  ...timerLimits,
  ...webserviceLimits,
}

type Use = { readonly limit: string; readonly used: number; readonly max: number }

async function usage(): Promise<Readonly<Record<string, number>>> {
  const answer = await fixture.pump('GET', '/usage')
  assertStatus(answer, 200)
  const items: Use[] = answer.json.items
  for (const { limit, max } of items) assert.equal(max, most[limit], limit)
  return Object.fromEntries(items.map(({ limit, used }) => [limit, used]))
}

const keeping = `
Keystore.set({key = "a", value = "1"})
Keystore.set({key = "b", value = "2"})
Tsdb.write({metrics = {t = 1}, tags = {pump = "7"}})
Timer.sendAfter({timer_id = "one", message = "m", duration = 3600000})
return true`

describe('what a solution uses of its limits', () => {
  shareInstance()

  it('is counted, of scripts and of what services keep', async () => {
    const before = await usage()
    assert.deepEqual(
      [before.keystoreKeysMax, before.timersMax, before.notificationBindingsMax],
      [0, 0, 0],
    )
    assert.equal(await fixture.run('pump', keeping, {}), true)
    await fixture.bind('sms')
    assertStatus(await fixture.pump('PATCH', '/env', { values: { TOKEN: 'x' } }), 200)
    const after = await usage()
    assert.deepEqual(after, {
      scriptsMax: (before.scriptsMax ?? 0) + 1,
      solutionSourceBytesMax: after.solutionSourceBytesMax,
      configurationsMax: before.configurationsMax,
      environmentVariablesMax: 1,
      keystoreKeysMax: 2,
      timersMax: 1,
      tsdbSeriesMax: 1,
      notificationBindingsMax: 1,
      solutionStaticFilesMax: 0,
      solutionStaticBytesMax: 0,
      solutionContentsMax: 0,
      solutionContentBytesMax: 0,
    })
    assert.ok((after.solutionSourceBytesMax ?? 0) > 0)
  })

  it('is shown to nobody else', async () => {
    const { token } = await fixture.otherOwner()
    assertFault(await fixture.ask('GET', '/solution/pump/usage', undefined, token), 'not_found')
    assertFault(await fixture.ask('GET', '/solution/none/usage'), 'not_found')
  })
})
