import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { openLua, runResult } from '../../../../test/fixtures/lua.ts'

test('globals, libraries and metatables of one machine are unknown in another', () => {
  const change = `
    secret = 'x'
    string.format = nil
    math.pi = 3
    json.null = nil
    getmetatable(from_json('[]')).__index = function() return 'seen' end
    return secret`
  const one = openLua({ source: change })
  assert.equal(one.value(), 'x')
  assert.deepEqual(
    runResult(`
      return {
        secret == nil, string.format ~= nil, math.pi > 3, json.null ~= nil,
        from_json('[]').x == nil,
      }`),
    [true, true, true, true, true],
  )
})

test('bytecode is refused, wherever it is given', () => {
  const bytes = '"\\27Lua\\x54\\0\\x19\\x93"'
  assert.deepEqual(
    runResult(`
      local told = {}
      for _, try in ipairs{
        function() return load(${bytes}) end,
        function() return load(${bytes}, 'x', 'b') end,
        function() return load(${bytes}, 'x', 'bt') end,
        function() return loadstring(${bytes}) end,
        function()
          local given
          return load(function() if not given then given = true return ${bytes} end end)
        end,
      } do
        local made, problem = try()
        told[#told + 1] = made == nil and problem:find('attempt to load a binary chunk') ~= nil
      end
      return told`),
    [true, true, true, true, true],
  )
})

test('the metatable of texts cannot be reached', () => {
  assert.deepEqual(runResult(`return {getmetatable(''), (pcall(setmetatable, '', {}))}`), [
    false,
    false,
  ])
})

test('random numbers differ between machines, and when a machine is made again', () => {
  const source = 'local t = {} for i = 1, 4 do t[i] = math.random(1, 1e9) end return t'
  const rows = Array.from({ length: 5 }, () => JSON.stringify(openLua({ source }).value()))
  assert.equal(new Set(rows).size, 5)
})

test('a seed gives the same numbers again', () => {
  const source = 'math.randomseed(42) return {math.random(1, 1e9), math.random(1, 1e9)}'
  assert.deepEqual(runResult(source), runResult(source))
})

test('what scripts can name leads to nothing of the host', () => {
  const found = runResult(`
    local seen, odd = {}, {}
    local function walk(value, path)
      local kind = type(value)
      if kind == 'userdata' and value ~= json.null then odd[#odd + 1] = path end
      if kind == 'thread' then odd[#odd + 1] = path end
      if kind ~= 'table' or seen[value] then return end
      seen[value] = true
      for key, item in next, value do walk(item, path .. '.' .. tostring(key)) end
      walk(getmetatable(value), path .. '.<metatable>')
    end
    walk(_G, '_G')
    for _, call in ipairs{print, require, to_json, string.format, coroutine.wrap} do
      walk(getfenv(call), 'environment')
    end
    return {#odd, odd[1]}`)
  assert.deepEqual(found, [0])
})

test('a script that breaks every global breaks only itself', () => {
  const lua = openLua({
    source: `
      local all = _G
      if a then for key in pairs(all) do if key ~= 'main' then all[key] = nil end end end
      return 'alive'`,
  })
  assert.equal(lua.value(true), 'alive')
  assert.equal(lua.value(), 'alive')
  const strict = openLua({
    source: `
      setmetatable(_G, {
        __index = function(_, key) error('no ' .. key, 0) end,
        __newindex = function() error('closed', 0) end,
      })
      context = nil
      return 1`,
  })
  assert.equal(strict.value(), 1)
  assert.equal(strict.value(), 1)
})

test('what a script makes of a library is so for its machine alone', () => {
  const source = 'if a then string.rep = nil end return string.rep == nil'
  const lua = openLua({ source })
  assert.deepEqual([lua.value(), lua.value(true), lua.value()], [false, true, true])
  assert.equal(openLua({ source }).value(), false)
})

test('a service named like a library leaves the library alone', () => {
  const lua = openLua({ source: 'return {string.rep("x", 2), type(String)}', services: ['string'] })
  assert.deepEqual(lua.value(), ['xx', 'table'])
})
