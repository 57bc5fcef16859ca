import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { atEnd } from '../../../../test/fixtures/ends.ts'
import { createLogger, limits } from '../../../foundation/kernel/index.ts'
import { scriptingLimits } from '../limits.ts'
import type { Program, ScriptLimits } from '../registry/program.ts'
import { defaultLimits } from '../registry/solution.ts'
import { createScriptHost } from './create-host.ts'
import type {
  HostCall,
  HostEnd,
  HostHooks,
  LoggedLine,
  ScriptHost,
  ServiceRequest,
} from './host.ts'
import type { ScriptValue } from './value.ts'

function openHost(
  t: TestContext,
  ask: (asked: ServiceRequest) => Promise<ScriptValue> = async ({ args }) => args,
  log: HostHooks['log'] = () => {},
  workers = 1,
): ScriptHost {
  const logger = createLogger('silent')
  const host = createScriptHost({ hooks: { callService: ask, log }, logger, workers })
  atEnd(t, () => host.close())
  return host
}

type Said = { version?: number; limits?: Partial<ScriptLimits> }

function program(solutionId: string, source: string, { version = 1, limits = {} }: Said = {}) {
  const all: Program = {
    businessId: 'b',
    solutionId,
    version,
    services: ['http'],
    chunks: [{ name: 'main.lua', source, role: { kind: 'plain' } }],
    limits: { ...defaultLimits(), ...limits },
  }
  return all
}

function call(
  host: ScriptHost,
  given: Program,
  handler: string,
  argument: ScriptValue = null,
  more: Partial<HostCall> = {},
): Promise<HostEnd> {
  const context = { solution_id: given.solutionId, tracking_id: 't', service: 'device2' }
  return host.call(given, { handler, args: [argument], context, depth: 0, ...more })
}

function returned(end: HostEnd): ScriptValue {
  assert.equal(end.kind, 'returned', JSON.stringify(end))
  return end.kind === 'returned' ? end.value : undefined
}

function endedLimit(end: HostEnd): readonly [string | undefined, number | undefined] {
  return end.kind === 'stopped' ? [end.limit, end.error.status] : [end.kind, undefined]
}

/** A service that answers when `answerAll` is called. */
function waitingService() {
  const waiting: ((value: ScriptValue) => void)[] = []
  const asked: ServiceRequest[] = []
  return {
    asked,
    ask: (one: ServiceRequest) => {
      asked.push(one)
      return new Promise<ScriptValue>((resolve) => waiting.push(resolve))
    },
    answerAll: (value: ScriptValue) => {
      for (const answer of waiting.splice(0)) answer(value)
    },
  }
}

async function until(condition: () => boolean): Promise<void> {
  for (let polls = 0; polls < 12_000; polls += 1) {
    if (condition()) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error('it did not come to be')
}

const asks = 'function handle(e) return Http.get{url = e} end'
const spins = 'function spin() while true do end end function quick() return 1 end'
/** For calls that are to end by something else, however slow the machine is. */
const endless = { wallMsMax: 1e9, cpuMsMax: 1e9 }

describe('the script host', () => {
  it('runs a handler and gives back what it returns, exactly', async (t) => {
    const host = openHost(t)
    const given = program('s', 'function handle(e) return e end')
    for (const value of [1, 2 ** 53 - 1, 'a\0b', 'žluť 🜁', [1, 2], { a: { b: [true] } }]) {
      assert.deepEqual(returned(await call(host, given, 'handle', value)), value)
    }
    const bytes = Uint8Array.from({ length: 256 }, (_, at) => at)
    assert.deepEqual(
      [...(returned(await call(host, given, 'handle', bytes)) as Uint8Array)],
      [...bytes],
    )
  })

  it('gives a service call its answer, and counts it', async (t) => {
    const asked: ServiceRequest[] = []
    const host = openHost(t, async (one) => {
      asked.push(one)
      return { body: 'ok' }
    })
    const end = await call(host, program('s', asks), 'handle', 'http://x')
    assert.deepEqual(returned(end), { body: 'ok' })
    assert.equal(end.usage.serviceCalls, 1)
    const [{ service, operation, args } = assert.fail()] = asked
    assert.deepEqual([service.toLowerCase(), operation, args], ['http', 'get', { url: 'http://x' }])
  })

  it('keeps what scripts keep between calls, until another version comes', async (t) => {
    const host = openHost(t)
    const source = 'n = 0 function handle() n = n + 1 return n end'
    assert.equal(returned(await call(host, program('s', source), 'handle')), 1)
    assert.equal(returned(await call(host, program('s', source), 'handle')), 2)
    assert.equal(returned(await call(host, program('s', source, { version: 2 }), 'handle')), 1)
    host.forget('s')
    assert.equal(returned(await call(host, program('s', source, { version: 2 }), 'handle')), 1)
  })

  it('lets no solution see another one', async (t) => {
    const host = openHost(t)
    await call(host, program('one', 'secret = 1 function handle() end'), 'handle')
    const other = program('two', 'function handle() return tostring(secret) end')
    assert.equal(returned(await call(host, other, 'handle')), 'nil')
  })

  it('finds the first problem of a source, and runs nothing', async (t) => {
    const host = openHost(t)
    const role = { kind: 'plain' } as const
    assert.equal(await host.check('s', { name: 'a.lua', source: 'error("x")', role }), undefined)
    const problem = await host.check('s', { name: 'a.lua', source: '\nif then', role })
    assert.deepEqual([problem?.file, problem?.line], ['a.lua', 2])
  })

  it('answers with the failure where the scripts of a solution cannot be run at all', async (t) => {
    const host = openHost(t)
    const end = await call(host, program('s', 'error("at once")'), 'handle')
    assert.equal(end.kind === 'failed' && end.error.error, 'main.lua:1: at once')
  })
})

describe('the time and memory of calls of the script host', () => {
  it('ends a script that spins, and runs the next call of the same solution', async (t) => {
    const host = openHost(t)
    const byTime = program('time', spins, { limits: { ...endless, wallMsMax: 200 } })
    assert.deepEqual(endedLimit(await call(host, byTime, 'spin')), ['time', 504])
    assert.equal(returned(await call(host, program('time', spins, { version: 2 }), 'quick')), 1)
    const byCpu = program('cpu', spins, { limits: { ...endless, cpuMsMax: 50 } })
    const end = await call(host, byCpu, 'spin')
    assert.deepEqual(endedLimit(end), ['cpu', 504])
    assert.ok(end.usage.cpuMs > 50, `${end.usage.cpuMs} ms`)
    assert.equal(returned(await call(host, byCpu, 'quick')), 1)
  })

  it('keeps the main thread going while every worker spins', async (t) => {
    const { ask, asked, answerAll } = waitingService()
    const host = openHost(t, ask, undefined, 2)
    const source = 'function spin() Http.get{} while true do end end'
    // Six solutions: both workers have some of them, and they spin until the host is closed.
    const all = Array.from({ length: 6 }, (_, at) => program(`s${at}`, source, { limits: endless }))
    const ends = all.map((given) => call(host, given, 'spin'))
    await until(() => asked.length === all.length)
    answerAll(null)
    // Were the main thread held, it would not come to the end of these.
    for (let turns = 0; turns < 100; turns += 1) await new Promise((turn) => setTimeout(turn, 1))
    await host.close()
    const limits = (await Promise.all(ends)).map((end) => endedLimit(end)[0])
    assert.deepEqual([...new Set(limits)], ['worker'])
  })

  it('makes a machine anew that took all of its memory', async (t) => {
    const host = openHost(t)
    const source = `
      function bomb()
        kept = {}
        for i = 1, 1e6 do kept[i] = coroutine.wrap(function() coroutine.yield() end) kept[i]() end
      end
      function quick() return kept == nil end`
    const given = program('s', source, { limits: endless })
    assert.deepEqual(endedLimit(await call(host, given, 'bomb')), ['memory', 507])
    assert.equal(returned(await call(host, given, 'quick')), true)
  })

  it('ends a call that waits too long for a service, and aborts its signal', async (t) => {
    const { ask, asked, answerAll } = waitingService()
    const host = openHost(t, ask)
    const given = program('s', `${asks} function quick() end`)
    await call(host, given, 'quick')
    let wallMsMax = 100
    let running: Promise<HostEnd> | undefined
    // On a busy machine the time may be over before the service is called.
    for (; asked.length === 0; wallMsMax *= 2) {
      running = call(host, given, 'handle', 'x', { wallMsMax })
      await Promise.race([running, until(() => asked.length === 1)])
    }
    const { signal } = asked[0] ?? assert.fail()
    assert.equal(signal.aborted, false)
    assert.deepEqual(endedLimit((await running) ?? assert.fail()), ['time', 504])
    assert.equal(signal.aborted, true)
    answerAll('too late')
    assert.equal(returned(await call(host, given, 'quick')), undefined)
  })

  it('counts time across waits: a caller with less time left gives less', async (t) => {
    const { ask } = waitingService()
    const host = openHost(t, ask)
    const given = program('s', `${asks} function quick() end`, { limits: endless })
    await call(host, given, 'quick')
    // Its own limit never comes.
    const end = await call(host, given, 'handle', 'x', { wallMsMax: 60 })
    assert.deepEqual(endedLimit(end), ['time', 504])
  })

  it('ends quickly, with everything that runs', async (t) => {
    const { ask, asked } = waitingService()
    const host = openHost(t, ask)
    const running = call(host, program('s', asks), 'handle', 'x')
    await until(() => asked.length === 1)
    await host.close()
    assert.deepEqual(endedLimit(await running), ['worker', 503])
    assert.deepEqual(endedLimit(await call(host, program('s', asks), 'handle')), ['worker', 503])
  })
})

describe('the limits of calls of the script host', () => {
  it('runs so many calls of a solution at once, lets so many wait, and refuses more', async (t) => {
    const { ask, asked, answerAll } = waitingService()
    const host = openHost(t, ask)
    const given = program('s', asks)
    const room = scriptingLimits.scriptCallsMax + scriptingLimits.scriptQueuedMax
    const running = Array.from({ length: room }, () => call(host, given, 'handle', 'x'))
    const refused = await call(host, given, 'handle', 'x')
    assert.deepEqual(endedLimit(refused), ['queue', 429])
    assert.equal(refused.started, false)
    await until(() => asked.length === scriptingLimits.scriptCallsMax)
    const answering = setInterval(() => answerAll('done'), 1)
    const ends = await Promise.all(running)
    clearInterval(answering)
    assert.ok(ends.every((end) => returned(end) === 'done'))
  })

  it('lets a deeper call of a solution run while all its places are taken', async (t) => {
    const { ask, asked, answerAll } = waitingService()
    const host = openHost(t, ask)
    const given = program('s', `${asks} function inner() return 1 end`)
    const outer = Array.from({ length: scriptingLimits.scriptCallsMax }, () =>
      call(host, given, 'handle', 'x'),
    )
    await until(() => asked.length === scriptingLimits.scriptCallsMax)
    assert.equal(returned(await call(host, given, 'inner', null, { depth: 1 })), 1)
    answerAll('done')
    await Promise.all(outer)
  })

  it('refuses a call that is too deep, or an argument that is too much', async (t) => {
    const host = openHost(t)
    const given = program('s', 'function handle() return 1 end')
    const depth = limits.scriptDepthMax
    assert.equal(returned(await call(host, given, 'handle', null, { depth })), 1)
    const deeper = await call(host, given, 'handle', null, { depth: depth + 1 })
    assert.deepEqual(endedLimit(deeper), ['depth', 429])
    const long = 'x'.repeat(limits.scriptValueBytesMax)
    assert.deepEqual(endedLimit(await call(host, given, 'handle', long)), ['value', 413])
    let nested: ScriptValue = 1
    for (let at = 0; at <= limits.scriptValueDepthMax; at += 1) nested = [nested]
    assert.deepEqual(endedLimit(await call(host, given, 'handle', nested)), ['value', 413])
  })

  it('turns an answer that cannot cross into an internal error', async (t) => {
    const host = openHost(t, async () => (() => {}) as unknown as ScriptValue)
    const end = await call(host, program('s', asks), 'handle', 'x')
    assert.deepEqual(returned(end), { type: 'ServerError', error: 'internal', status: 500 })
  })

  it('reports what scripts print, up to the limit of a call', async (t) => {
    const lines: LoggedLine[] = []
    const host = openHost(t, undefined, (line) => lines.push(line))
    const source = 'print("opening") function handle() for i = 1, 9 do print("12345") end end'
    const given = program('s', source, { limits: { logBytesPerCallMax: 12 } })
    await call(host, given, 'handle')
    assert.deepEqual(
      lines.map(({ text, handler }) => [handler, text]),
      [
        [undefined, 'opening'],
        ['handle', '12345'],
        ['handle', '12345'],
        ['handle', '12'],
        ['handle', 'The log of this call is full: what follows is left out.'],
      ],
    )
  })
})
