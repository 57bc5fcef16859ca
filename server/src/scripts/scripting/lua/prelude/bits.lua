-- The libraries `bit` of LuaJIT, whose results are signed, and `bit32`, whose results are not.
local host = ...
local error, pairs = error, pairs
local select, kind, fmod, toInteger = select, math.type, math.fmod, math.tointeger
local format, sub, rep = string.format, string.sub, string.rep
local number = host.number

-- Added and taken away it leaves a whole number, the even one of two that are as near.
local rounding = 6755399441055744.0

-- The lowest 32 bits of a number, which is rounded as LuaJIT does.
local function unsigned(x, position, name)
  if kind(x) == 'integer' then return x & 0xffffffff end
  x = number(x, position, name)
  if kind(x) == 'integer' then return x & 0xffffffff end
  if x > -0x1p51 and x < 0x1p51 then return toInteger(x + rounding - rounding) & 0xffffffff end
  x = fmod(x, 4294967296)
  return x == x and toInteger(x) & 0xffffffff or 0
end

local function signed(x)
  x = x & 0xffffffff
  return x >= 0x80000000 and x - 0x100000000 or x
end

local function fold(name, start, combine)
  return function(...)
    local count = select('#', ...)
    if count == 2 then
      local x, y = ...
      if kind(x) == 'integer' and kind(y) == 'integer' then
        return combine(x & 0xffffffff, y & 0xffffffff)
      end
      return combine(unsigned(x, 1, name), unsigned(y, 2, name))
    end
    local result = start
    for index = 1, count do
      result = combine(result, unsigned((select(index, ...)), index, name))
    end
    return result
  end
end

-- By name, so that the error of an argument can name it.
local folds = {
  band = fold('band', 0xffffffff, function(a, b) return a & b end),
  bor = fold('bor', 0, function(a, b) return a | b end),
  bxor = fold('bxor', 0, function(a, b) return a ~ b end),
}

-- The operations of a number and a count of bits, of which the lowest five bits are taken.
local function rotated(x, n)
  n = n & 31
  return (x << n | x >> (32 - n)) & 0xffffffff
end
local counted = {
  lshift = function(x, n) return x << (n & 31) & 0xffffffff end,
  rshift = function(x, n) return x >> (n & 31) end,
  arshift = function(x, n) return signed(x) // (1 << (n & 31)) & 0xffffffff end,
  rol = rotated,
  ror = function(x, n) return rotated(x, -n) end,
}

bit, bit32 = {}, {}
for name, operation in pairs(folds) do
  bit[name] = function(x, ...) return signed(operation(x, ...)) end
  bit32[name] = operation
end
for name, operation in pairs(counted) do
  bit[name] = function(x, n)
    if kind(x) == 'integer' and kind(n) == 'integer' then
      return signed(operation(x & 0xffffffff, n))
    end
    return signed(operation(unsigned(x, 1, name), unsigned(n, 2, name)))
  end
end

function bit.bnot(x) return signed(~unsigned(x, 1, 'bnot')) end
function bit32.bnot(x) return ~unsigned(x, 1, 'bnot') & 0xffffffff end
function bit.tobit(x) return signed(unsigned(x, 1, 'tobit')) end
function bit.bswap(x)
  x = unsigned(x, 1, 'bswap')
  return signed((x & 0xff) << 24 | (x & 0xff00) << 8 | x >> 8 & 0xff00 | x >> 24)
end
function bit.tohex(x, digits)
  x = unsigned(x, 1, 'tohex')
  digits = digits == nil and 8 or signed(unsigned(digits, 2, 'tohex'))
  local text = format(digits < 0 and '%08X' or '%08x', x)
  if digits < 0 then digits = -digits end
  if digits > 254 then digits = 254 end
  return digits > 8 and rep('0', digits - 8) .. text or sub(text, 9 - digits)
end

-- A shift of 32 or more leaves nothing in bit32; a negative one goes the other way.
local function shifted(x, n)
  if n >= 0 then return n > 31 and 0 or x << n & 0xffffffff end
  return n < -31 and 0 or x >> -n
end
local function count(n, name) return signed(unsigned(n, 2, name)) end
function bit32.lshift(x, n) return shifted(unsigned(x, 1, 'lshift'), count(n, 'lshift')) end
function bit32.rshift(x, n) return shifted(unsigned(x, 1, 'rshift'), -count(n, 'rshift')) end
function bit32.arshift(x, n)
  x, n = unsigned(x, 1, 'arshift'), count(n, 'arshift')
  if n < 0 then return shifted(x, -n) end
  return counted.arshift(x, n > 31 and 31 or n)
end
function bit32.lrotate(x, n)
  return rotated(unsigned(x, 1, 'lrotate'), unsigned(n, 2, 'lrotate'))
end
function bit32.rrotate(x, n)
  return rotated(unsigned(x, 1, 'rrotate'), -unsigned(n, 2, 'rrotate'))
end
function bit32.btest(...) return folds.band(...) ~= 0 end

-- The mask of `width` bits from bit `field` on.
local function mask(field, width, position, name)
  field = count(field, name)
  width = width == nil and 1 or signed(unsigned(width, position + 1, name))
  if field < 0 then error("field cannot be negative", 2) end
  if width < 1 then error("width must be positive", 2) end
  if field + width > 32 then error('trying to access non-existent bits', 2) end
  return field, ~(-1 << width)
end
function bit32.extract(x, field, width)
  x = unsigned(x, 1, 'extract')
  local from, ones = mask(field, width, 2, 'extract')
  return x >> from & ones
end
function bit32.replace(x, value, field, width)
  x, value = unsigned(x, 1, 'replace'), unsigned(value, 2, 'replace')
  local from, ones = mask(field, width, 3, 'replace')
  return (x & ~(ones << from) | (value & ones) << from) & 0xffffffff
end
