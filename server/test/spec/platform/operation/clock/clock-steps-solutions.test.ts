import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { webserviceLimits } from '../../../../../src/scripts/services/webservice/index.ts'
import { testEngine } from '../../../../fixtures/database.ts'
import { type EndpointsFixture, endpointsFixture } from '../../../../fixtures/endpoints.ts'
import { until } from '../../../../fixtures/interface.ts'
import type { OwnPlatform } from '../../../../fixtures/platform.ts'
import { suiteContext } from '../../../../fixtures/suite.ts'
import { openSocket } from '../../../../fixtures/wire/sockets.ts'

const day = 86_400_000
const minute = 60_000
const web = `--#ENDPOINT GET /say/{text}
print(request.parameters.text)
return "said"
--#ENDPOINT GET /timer/{id}
local id = request.parameters.id
return Timer.sendAfter{message = id, duration = 60000, timer_id = id}
--#ENDPOINT WEBSOCKET /room
if websocketInfo.type == "open" then return websocketInfo.socket_id end
if websocketInfo.type == "data" then return websocketInfo.message end
--#ENDPOINT GET /sockets
return Websocket.list()
`

describe('steps of the clock and solutions', () => {
  const suite = suiteContext()
  let fixture: EndpointsFixture<OwnPlatform>
  before(async () => {
    fixture = await endpointsFixture(suite, { own: 'moves the clock' })
    const { ask } = fixture
    await fixture.serve(web)
    const source = 'print("fired " .. request.message)'
    const put = await ask('PUT', '/solution/pump/script/timer_timer', { source })
    assert.equal(put.status, 200)
  })

  async function during<T>(ms: number, act: () => Promise<T>): Promise<T> {
    fixture.millrace.clock.step(ms)
    try {
      return await act()
    } finally {
      fixture.millrace.clock.step(-ms)
    }
  }

  /** Returns the lines that scripts printed, in the order of the log's pages. */
  async function printed(): Promise<string[]> {
    const log = fixture.millrace.platform.activity.solutions
    await log.flush()
    const texts: string[] = []
    let before: string | undefined
    do {
      const asked = { kinds: ['log'], limit: 1_000, before } as const
      const page = await log.lines(fixture.businessId, 'pump', asked)
      texts.push(...page.lines.map(({ text }) => text))
      before = page.before
    } while (before !== undefined)
    return texts
  }

  for (const step of [2_000, day, 3_650 * day].flatMap((ms) => [ms, -ms])) {
    const name = `${step / 1_000} s and back`

    it(`${name}: the newest line of the log is the one of now`, async () => {
      const say = (when: string) => fixture.get(`/say/${when}${step}`)
      assert.equal((await say('before')).status, 200)
      await during(step, async () => {
        await say('meanwhile')
        assert.ok((await printed()).includes(`meanwhile${step}`))
      })
      fixture.millrace.clock.advance(5_000)
      await say('after')
      assert.equal((await printed())[0], `after${step}`)
      assert.ok((await printed()).includes(`meanwhile${step}`))
    })

    it(`${name}: a timer of then, and one of now, come once`, async () => {
      await during(step, () => fixture.get(`/timer/then${step}`))
      await fixture.get(`/timer/now${step}`)
      fixture.millrace.clock.advance(2 * minute)
      const mine = async () => {
        await fixture.millrace.platform.timers.fire()
        return (await printed()).filter(
          (text) => text.endsWith(String(step)) && /^fired/.test(text),
        )
      }
      const both = await until(mine, (lines) => lines.length >= 2)
      assert.deepEqual(both.sort(), [`fired now${step}`, `fired then${step}`])
      assert.equal((await mine()).length, 2)
    })

    it(`${name}: a websocket goes on, and other processes find it again`, async () => {
      const socket = await openSocket({ millrace: fixture.millrace }, '/room')
      const id = String(await socket.next())
      const rows = () =>
        fixture.millrace.platform.database.rows<{ id: string }>(
          'select id from webservice_socket where id = $1',
          [id],
        )
      const echo = async (text: string) => {
        socket.send(text)
        assert.equal(await socket.next(), text)
        if (testEngine === 'embedded') return
        fixture.millrace.clock.advance(webserviceLimits.socketLeaseRenewMs)
        await until(rows, ({ length }) => length === 1)
      }
      await echo('before')
      await during(step, () => echo('meanwhile'))
      await echo('after')
      assert.ok((await fixture.get('/sockets')).json.includes(id))
      socket.close()
      await socket.closed
    })
  }
})
