-- The libraries `bit` of LuaJIT, whose results are signed, and `bit32`, whose results are not.
local select, floor, tointeger, kind = select, math.floor, math.tointeger, math.type
local format, upper, sub = string.format, string.upper, string.sub

local function unsigned(x)
  if kind(x) ~= 'integer' then x = tointeger(x) or floor(x + 0.5) end
  return x & 0xffffffff
end

local function signed(x)
  x = x & 0xffffffff
  return x >= 0x80000000 and x - 0x100000000 or x
end

local function fold(start, combine)
  return function(...)
    local result = start
    for index = 1, select('#', ...) do result = combine(result, unsigned((select(index, ...)))) end
    return result
  end
end

local function band(a, b) return a & b end
local function bor(a, b) return a | b end
local function bxor(a, b) return a ~ b end
local function bnot(x) return ~unsigned(x) & 0xffffffff end
local function lshift(x, n) return unsigned(x) << (n & 31) & 0xffffffff end
local function rshift(x, n) return unsigned(x) >> (n & 31) end
local function arshift(x, n) return signed(unsigned(x)) // (1 << (n & 31)) & 0xffffffff end
local function rol(x, n)
  x, n = unsigned(x), n & 31
  return (x << n | x >> (32 - n)) & 0xffffffff
end
local function ror(x, n) return rol(x, -n) end

local all = {
  band = fold(0xffffffff, band),
  bor = fold(0, bor),
  bxor = fold(0, bxor),
  bnot = bnot,
  lshift = lshift,
  rshift = rshift,
  arshift = arshift,
}

bit, bit32 = {}, {}
for name, operation in pairs(all) do
  bit[name] = function(...) return signed(operation(...)) end
  bit32[name] = operation
end

function bit.tobit(x) return signed(unsigned(x)) end
function bit.rol(x, n) return signed(rol(x, n)) end
function bit.ror(x, n) return signed(ror(x, n)) end
function bit.bswap(x)
  x = unsigned(x)
  return signed((x & 0xff) << 24 | (x & 0xff00) << 8 | x >> 8 & 0xff00 | x >> 24)
end
function bit.tohex(x, digits)
  digits = digits or 8
  local text = format('%08x', unsigned(x))
  if digits < 0 then
    digits, text = -digits, upper(text)
  end
  return sub(text, -digits)
end

-- A shift of 32 or more leaves nothing in bit32; a negative one goes the other way.
function bit32.lshift(x, n)
  if n < 0 then return bit32.rshift(x, -n) end
  return n > 31 and 0 or lshift(x, n)
end
function bit32.rshift(x, n)
  if n < 0 then return bit32.lshift(x, -n) end
  return n > 31 and 0 or rshift(x, n)
end
function bit32.arshift(x, n)
  if n < 0 then return bit32.lshift(x, -n) end
  return arshift(x, n > 31 and 31 or n)
end
bit32.lrotate, bit32.rrotate = rol, ror
function bit32.btest(...) return bit32.band(...) ~= 0 end
function bit32.extract(x, field, width)
  return unsigned(x) >> field & ~(-1 << (width or 1))
end
function bit32.replace(x, value, field, width)
  local mask = ~(-1 << (width or 1))
  return (unsigned(x) & ~(mask << field) | (unsigned(value) & mask) << field) & 0xffffffff
end
