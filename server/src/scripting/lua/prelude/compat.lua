-- Lua 5.1 as scripts expect it, on Lua 5.4. Everything here holds what it needs in locals, so that
-- a script that changes globals changes only itself.
local host = ...
local debug = host.debug
local type, error, select, pairs, pcall, tonumber = type, error, select, pairs, pcall, tonumber
local rawget = rawget
local unpack = table.unpack

_VERSION = 'Lua 5.1'
_G.unpack = unpack

-- No files, no binary chunks, no warnings.
local loadText, setMetatable, collect = load, setmetatable, collectgarbage
dofile, loadfile, warn = nil, nil, nil
string.dump = nil

local function expect(value, wanted, position, name)
  if type(value) == wanted then return end
  local got = value == nil and 'no value' or type(value)
  local text = "bad argument #%d to '%s' (%s expected, got %s)"
  error(text:format(position, name, wanted, got), 3)
end
host.expect = expect

function load(chunk, name, mode, environment)
  if environment == nil then environment = _G end
  return loadText(chunk, name, 't', environment)
end

function loadstring(text, name)
  expect(text, 'string', 1, 'loadstring')
  return loadText(text, name or text, 't', _G)
end

-- A finalizer would run where nobody can count for whom.
function setmetatable(object, metatable)
  if type(metatable) == 'table' and rawget(metatable, '__gc') ~= nil then
    error('__gc is not allowed', 2)
  end
  return setMetatable(object, metatable)
end
getmetatable('').__metatable = false

-- What scripts ask to be tidy; the collector's settings are not theirs.
function collectgarbage(option)
  option = option or 'collect'
  if option == 'count' or option == 'collect' or option == 'step' then return collect(option) end
  return 0
end

function table.getn(list) return #list end

function table.maxn(list)
  local max = 0
  for key in pairs(list) do
    if type(key) == 'number' and key > max then max = key end
  end
  return max
end

function table.foreach(list, call)
  for key, value in pairs(list) do
    local result = call(key, value)
    if result ~= nil then return result end
  end
end

function table.foreachi(list, call)
  for index = 1, #list do
    local result = call(index, list[index])
    if result ~= nil then return result end
  end
end

local exp, floor, ceil, abs, log = math.exp, math.floor, math.ceil, math.abs, math.log
math.mod = math.fmod
function math.pow(base, exponent) return base ^ exponent end
function math.log10(x) return log(x, 10) end
function math.cosh(x) return (exp(x) + exp(-x)) / 2 end
function math.sinh(x) return (exp(x) - exp(-x)) / 2 end
function math.tanh(x)
  if abs(x) > 20 then return x > 0 and 1 or -1 end
  local up, down = exp(x), exp(-x)
  return (up - down) / (up + down)
end
function math.ldexp(m, e) return m * 2.0 ^ e end
function math.frexp(x)
  if x == 0 or x ~= x or abs(x) == math.huge then return x, 0 end
  local e = floor(log(abs(x), 2)) + 1
  local m = x / 2.0 ^ e
  if abs(m) >= 1 then return m / 2, e + 1 end
  if abs(m) < 0.5 then return m * 2, e - 1 end
  return m, e
end

-- 5.1 took the whole part of any number.
local function whole(value)
  local number = tonumber(value)
  if number == nil or number ~= number or abs(number) == math.huge then return value end
  return number < 0 and ceil(number) or floor(number)
end

local random, seedRandom = math.random, math.randomseed
function math.random(from, to)
  if from == nil then return random() end
  if to == nil then return random(1, whole(from)) end
  return random(whole(from), whole(to))
end
function math.randomseed(seed) seedRandom(whole(seed)) end
seedRandom(host.seed(), host.seed())

string.gfind = string.gmatch
local format, find, gsub, gmatch = string.format, string.find, string.gsub, string.gmatch
local specification = '%%[-+ #0]*%d*%.?%d*(%a)'

-- The arguments of %d and its like without their fractions.
local function wholeArguments(text, ...)
  local values = { ... }
  local position = 0
  for letter in gmatch(gsub(text, '%%%%', ''), specification) do
    position = position + 1
    if find('dixXcuo', letter, 1, true) then values[position] = whole(values[position]) end
  end
  return unpack(values, 1, select('#', ...))
end

function string.format(text, ...)
  local done, result = pcall(format, text, ...)
  if done then return result end
  if result == 'not enough memory' then error(result, 0) end
  if type(text) == 'string' then
    local signed = gsub(text, '(%%[-+ #0]*%d*%.?%d*)u', '%1d')
    local again, other = pcall(format, signed, wholeArguments(text, ...))
    if again then return other end
  end
  error(gsub(result, "to '%?'", "to 'format'"), 2)
end

local function environmentOf(call)
  local index = 1
  while true do
    local name, value = debug.getupvalue(call, index)
    if name == nil then return nil end
    if name == '_ENV' then return index, value end
    index = index + 1
  end
end

-- The function at a level of the caller's caller; `extra`: frames of the prelude between.
local function functionAt(level, extra)
  local info = level >= 0 and debug.getinfo(level + extra, 'f')
  if not info then error('invalid level', 3) end
  return info.func
end

function getfenv(call)
  if call == nil then call = 1 end
  if call == 0 then return _G end
  if type(call) == 'number' then call = functionAt(call, 2) end
  expect(call, 'function', 1, 'getfenv')
  local index, environment = environmentOf(call)
  if index == nil then return _G end
  return environment
end

local function setEnvironment(call, environment)
  local index = environmentOf(call)
  if index then debug.upvaluejoin(call, index, function() return environment end, 1) end
  return call
end

function setfenv(call, environment)
  expect(environment, 'table', 2, 'setfenv')
  if type(call) == 'number' then call = functionAt(call, 2) end
  expect(call, 'function', 1, 'setfenv')
  return setEnvironment(call, environment)
end

function host.setCallerEnvironment(environment)
  setEnvironment(functionAt(2, 2), environment)
end
