import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ScriptValue } from '../../../../src/scripts/scripting/index.ts'
import { interfaceFixture } from '../../../fixtures/interface.ts'
import { sharedFixture } from '../../../fixtures/suite.ts'

const [fixture, shareInstance] = sharedFixture((suite) => interfaceFixture(suite))

const run = (source: string, event?: ScriptValue) => fixture.run('pump', source, event)

describe('keystore: what scripts store by name', () => {
  shareInstance()

  test('set, get and delete: get of a missing key is an empty table', async () => {
    const source = `
      local before = to_json(Keystore.get{key = "a"})
      Keystore.set{key = "a", value = {n = 1.5, list = {1, "zwei", true}}}
      local kept = Keystore.get{key = "a"}.value
      Keystore.delete{key = "a"}
      return {before, kept, to_json(keystore.get{key = "a"})}`
    assert.deepEqual(await run(source), ['{}', { n: 1.5, list: [1, 'zwei', true] }, '{}'])
  })
})

const command = `
  local function command(key, name, ...)
    local answer = Keystore.command{key = key, command = name, args = {...}}
    if answer.error then return answer.error end
    return answer.value
  end
`

describe('keystore: what scripts of the field rely on', () => {
  shareInstance()

  test('hmget: a field that is not there is nil', async () => {
    const source = `${command}
      command("partly", "hset", "a", "x", "c", "z")
      local all = command("partly", "hmget", "a", "none", "c", "last")
      return {all[1], tostring(all[2]), all[3], tostring(all[4]), to_json(all)}`
    assert.deepEqual(await run(source), ['x', 'nil', 'z', 'nil', '["x",null,"z"]'])
  })

  test('list: a loop until cursor == "0" sees each key once, also "0"', async () => {
    const source = `
      local seen, cursor, pages = {}, "0", 0
      for _, key in ipairs{"0", "!", ">", "!0", "z"} do
        Keystore.set{key = "p" .. key, value = 1}
      end
      Keystore.set{key = "0", value = 1}
      repeat
        local page = Keystore.list{cursor = cursor, limit = 1}
        for _, key in ipairs(page.keys) do seen[#seen + 1] = key end
        cursor, pages = page.cursor, pages + 1
      until cursor == "0" or pages > 20
      return seen`
    await fixture.solution('walker')
    const seen = await fixture.run('walker', source)
    assert.deepEqual(seen, ['0', 'p!', 'p!0', 'p0', 'p>', 'pz'])
  })

  test('mdelete: how many were removed; an empty list is none', async () => {
    const source = `
      Keystore.set{key = "gone", value = 1}
      return {Keystore.mdelete{keys = {"gone", "never"}}, Keystore.mdelete{keys = {}}}`
    assert.deepEqual(await run(source), [{ removed: 1 }, { removed: 0 }])
  })

  test('setnx answers a text, hmset OK, and hscan a cursor with fields and values', async () => {
    const source = `${command}
      local args = {}
      for n = 1, 25 do args[#args + 1] = "f" .. n; args[#args + 1] = n end
      local set = command("scan", "hmset", table.unpack(args))
      local found, cursor, pages = {}, "0", 0
      repeat
        local page = command("scan", "hscan", cursor, "COUNT", 7)
        for i = 1, #page[2], 2 do found[page[2][i]] = page[2][i + 1] end
        cursor, pages = page[1], pages + 1
      until cursor == "0" or pages > 20
      local count = 0
      for n = 1, 25 do if found["f" .. n] == n then count = count + 1 end end
      return {command("free lock", "setnx", "a"),
        command("free lock", "setnx", "b"), set, count, pages,
        command("scan", "hscan", "0", "MATCH", "f2?", "COUNT", "1000")[2][8] ~= nil,
        command("none", "hscan", 0)}`
    assert.deepEqual(await run(source), ['1', '0', 'OK', 25, 4, true, ['0', []]])
  })

  test('hscan finds once what is there all the time, whatever is deleted meanwhile', async () => {
    const source = `${command}
      for n = 1, 30 do command("d", "hset", "f" .. n, n) end
      local seen, cursor = {}, "0"
      repeat
        local page = command("d", "hscan", cursor, "COUNT", 5)
        for i = 1, #page[2], 2 do
          local field = page[2][i]
          seen[field] = (seen[field] or 0) + 1
          if tonumber(field:sub(2)) % 2 == 0 then command("d", "hdel", field) end
        end
        cursor = page[1]
      until cursor == "0"
      local twice, odd = 0, 0
      for n = 1, 30, 2 do
        odd = odd + (seen["f" .. n] or 0)
        if seen["f" .. n] ~= 1 then twice = twice + 1 end
      end
      return {odd, twice}`
    assert.deepEqual(await run(source), [15, 0])
  })

  test('expiry by setex, psetex, pexpire, expireat, and what pttl says', async () => {
    const source = `${command}
      local now = os.time()
      return {command("e:a", "setex", 60, "v"), command("e:a", "ttl"), command("e:a", "get"),
        command("e:b", "psetex", 60000, "w"), command("e:b", "pttl") > 1000,
        command("e:b", "pexpire", 2500), command("e:b", "ttl"),
        command("e:a", "expireat", now + 10000), command("e:a", "ttl") > 5000,
        command("e:a", "expireat", now - 1), command("e:a", "exists"), command("e:a", "pttl")}`
    const wanted = ['OK', 60, 'v', 'OK', true, 1, 3, 1, true, 1, 0, -2]
    assert.deepEqual(await run(source), wanted)
  })

  test('lists, numbers and sets: the rest of the documented commands', async () => {
    const source = `${command}
      return {command("r:q", "rpushx", 1), command("r:q", "rpush", "a", "c"),
        command("r:q", "linsert", "BEFORE", "c", "b"),
        command("r:q", "linsert", "after", "c", "d"),
        command("r:q", "linsert", "AFTER", "x", "y"), command("r:q", "lpushx", 0),
        command("r:q", "lrange", 0, -1), command("r:n", "incrbyfloat", "1.5"),
        command("r:n", "incrbyfloat", -0.25), command("r:g", "hincrbyfloat", "x", 0.5),
        command("r:t", "set", "hello"), command("r:t", "getrange", 1, 3),
        command("r:s", "sadd", "x"), command("r:s", "srandmember"), command("r:s", "sscan", "0")}`
    const lists = [0, 2, 3, 4, -1, 5, [0, 'a', 'b', 'c', 'd']]
    const rest = [1.5, 1.25, 0.5, 'OK', 'ell', 1, 'x', ['0', ['x']]]
    assert.deepEqual(await run(source), [...lists, ...rest])
  })
})
