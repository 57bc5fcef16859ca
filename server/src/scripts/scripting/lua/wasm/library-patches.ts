export type Patch = {
  /** The function: its exported name, else its index in the binary whose sha256 is checked. */
  readonly of: string
  readonly why: string
  readonly from: string
  readonly to: string
  /** The number of times that the instructions are there; once if left out. */
  readonly times?: number
}

/** Makes argument `index` of a C function a number in place, or raises that it is none. */
function toNumber(index: string): string {
  return `
    local.get 0; ${index}; call $lua_type; i32.const 3; i32.ne;
    if;
      local.get 0; local.get 0; ${index}; call $luaL_checknumber; call $lua_pushnumber;
      local.get 0; i32.const -1; ${index}; call $lua_copy;
      local.get 0; i32.const -2; call $lua_settop;
    end`
}

const checkTable = 'local.get 0; i32.const 1; i32.const 5; call $luaL_checktype'
/** Four characters as the machine reads them at once. */
function encodeCharacters(text: string): number {
  return Buffer.from(text).readInt32LE()
}

/** The first characters of the name of the prelude's chunks. */
const preludeName = encodeCharacters('[lua')

/** Raw accesses to elements, which call no metamethods. */
const rawAccesses = [
  { of: '536', name: 'table.concat reads elements', from: 'local.get 5; call $lua_geti' },
  { of: '536', name: 'table.concat reads the last element', from: 'local.get 4; call $lua_geti' },
  { of: '538', name: 'table.insert moves elements', from: 'i64.sub; local.tee 3; call $lua_geti' },
  { of: '540', name: 'unpack reads elements', from: 'local.get 1; call $lua_geti' },
  { of: '540', name: 'unpack reads the last element', from: 'local.get 2; call $lua_geti' },
  { of: '541', name: 'table.remove reads the element', from: 'local.get 1; call $lua_geti' },
  { of: '541', name: 'table.remove moves elements', from: 'local.tee 3; call $lua_geti' },
]

/** The changes that make Lua 5.4's libraries those of Lua 5.1. */
export const libraryPatches: readonly Patch[] = [
  {
    of: 'luaL_where',
    why: 'an error is raised where the script called the prelude: its level is kept',
    from: `
      local.get 0; local.get 1; local.get 2; i32.const 20; i32.add; local.tee 1;
      call $lua_getstack`,
    to: `
      local.get 2; local.get 1; i32.store offset=8;
      local.get 0; local.get 1; local.get 2; i32.const 20; i32.add; local.tee 1;
      call $lua_getstack`,
  },
  {
    of: 'luaL_where',
    why: 'an error is raised where the script called the prelude: its frames are skipped',
    from: 'local.tee 1; i32.const 0; i32.le_s; br_if 0',
    to: `
      local.tee 1; i32.const 0; i32.le_s; br_if 0;
      local.get 2; i32.load offset=64; i32.const ${preludeName}; i32.eq;
      if;
        local.get 0; local.get 2; i32.load offset=8; i32.const 1; i32.add; call $luaL_where;
        local.get 2; i32.const 128; i32.add; global.set 0; return;
      end`,
  },
  {
    of: '120',
    why: 'luaL_error, into which luaL_where was compiled: the same',
    from: 'local.tee 2; i32.const 0; i32.le_s; br_if 0',
    to: `
      local.tee 2; i32.const 0; i32.le_s; br_if 0;
      local.get 3; i32.load offset=64; i32.const ${preludeName}; i32.eq;
      if;
        local.get 0; i32.const 2; call $luaL_where; br 2;
      end`,
  },
  {
    of: 'lua_tointegerx',
    why: 'a number with a fraction is truncated where an integer is asked for',
    from: 'f64.floor; local.tee 6; local.get 7; f64.ne; br_if 1',
    to: 'f64.trunc; local.set 6',
  },
  {
    of: 'lua_tointegerx',
    why: 'a number that no integer is near becomes the smallest one, as on a 64-bit processor',
    from: 'i32.and; local.tee 0; i32.eqz; br_if 1',
    to: 'drop; i32.const 1; local.set 0',
  },
  {
    of: '195',
    why: 'tostring gives whatever __tostring gives',
    from: 'local.get 0; i32.const 1; i32.const 0; call $luaL_tolstring; drop',
    to: `
      local.get 0; i32.const 1; i32.const 4339; call $luaL_callmeta;
      if;
        i32.const 1; return;
      end;
      local.get 0; i32.const 1; i32.const 0; call $luaL_tolstring; drop`,
  },
  {
    of: '182',
    why: 'pairs does not look at __pairs',
    from: 'local.get 0; i32.const 1; i32.const 1905; call $luaL_getmetafield; i32.eqz',
    to: 'i32.const 1',
  },
  {
    of: '177',
    why: 'ipairs reads elements raw',
    from: 'local.get 1; call $lua_geti; select',
    to: 'local.get 1; call $lua_rawgeti; select',
  },
  ...rawAccesses.map(({ of, name, from }) => ({
    of,
    why: `${name} raw`,
    from,
    to: from.replace('lua_geti', 'lua_rawgeti'),
  })),
  ...['538', '541'].map((of) => ({
    of,
    why: `table.insert and table.remove write elements raw (${of})`,
    from: 'i32.const 1; local.get 1; call $lua_seti',
    to: 'i32.const 1; local.get 1; call $lua_rawseti',
    times: 2,
  })),
  {
    of: '493',
    why: '%q takes a text, or a number as one',
    from: 'local.get 0; local.get 5; call $lua_type',
    to: `
      local.get 0; local.get 5; i32.const 0; call $luaL_checklstring; drop;
      local.get 0; local.get 5; call $lua_type`,
  },
  {
    of: '493',
    why: '%q escapes no control characters but these two',
    from: 'local.get 2; i32.const 127; i32.eq; local.get 2; i32.const 32; i32.lt_u; i32.or',
    to: 'local.get 2; i32.eqz; local.get 2; i32.const 13; i32.eq; i32.or',
  },
  {
    of: '493',
    why: '%q writes them as \\000 and \\r',
    from: `
      local.get 4; i32.load8_u offset=1; local.set 3; local.get 1; local.get 2;
      i32.store offset=176; local.get 1; i32.const 852; i32.add; local.tee 2; i32.const 10;
      i32.const 6541; i32.const 6547; local.get 3; i32.const 48; i32.sub; i32.const 10; i32.lt_u;
      select; local.get 1; i32.const 176; i32.add; call 622; drop`,
    to: `
      local.get 2; local.set 3; local.get 1; i32.const 852; i32.add; local.tee 2; local.get 3;
      if_i32;
        i32.const ${encodeCharacters('\\r\0\0')};
      else;
        i32.const ${encodeCharacters('\\000')};
      end;
      i32.store offset=0; local.get 2; i32.const 0; i32.store8 offset=4`,
  },
  {
    of: '538',
    why: 'table.insert takes a position outside of the list',
    from: 'local.tee 2; i64.const 1; i64.sub; i64.le_u',
    to: 'local.tee 2; drop; drop; i32.const 0',
  },
  {
    of: '541',
    why: 'table.remove with a position outside of the list removes nothing',
    from: `
      local.tee 1; local.get 2; i64.eq; br_if 0;
      local.get 1; i64.const 1; i64.sub; local.get 2; i64.le_u; br_if 0;
      local.get 0; i32.const 2; i32.const 2304; call $luaL_argerror; drop`,
    to: `
      local.tee 1; i64.const 1; i64.sub; local.get 2; i64.lt_u; br_if 0;
      i32.const 0; return`,
  },
  {
    of: '540',
    why: 'unpack names itself where it is given no table',
    from: 'local.get 0; i32.const 2; i64.const 1; call $luaL_optinteger',
    to: `${checkTable}; local.get 0; i32.const 2; i64.const 1; call $luaL_optinteger`,
  },
  {
    of: '176',
    why: 'ipairs names itself where it is given no table',
    from: 'local.get 0; i32.const 1; call $luaL_checkany',
    to: checkTable,
  },
  {
    of: '182',
    why: 'pairs names itself where it is given no table',
    from: 'local.get 0; i32.const 1; call $luaL_checkany',
    to: checkTable,
  },
  {
    of: '194',
    why: 'tonumber(x, 10) is tonumber(x)',
    from: 'local.get 0; i32.const 2; call $lua_type; i32.const 0; i32.le_s; if',
    to: `
      local.get 0; i32.const 2; call $lua_type; i32.const 0; i32.le_s;
      if_i32;
        i32.const 1;
      else;
        local.get 0; i32.const 2; call $luaL_checkinteger; i64.const 10; i64.eq;
      end;
      if`,
  },
  {
    of: '194',
    why: 'tonumber(x, base) takes the text of a number',
    from: 'local.get 0; i32.const 1; i32.const 4; call $luaL_checktype',
    to: 'local.get 0; i32.const 1; i32.const 0; call $luaL_checklstring; drop',
  },
  ...['395', '396'].flatMap((of) => [
    {
      of,
      why: `math.min and math.max take numbers as texts: the first (${of})`,
      from: 'i32.const 1; local.set 1; local.get 3; i32.const 1; i32.eq',
      to: `i32.const 1; local.set 1; ${toNumber('i32.const 1')};
        local.get 3; i32.const 1; i32.eq`,
    },
    {
      of,
      why: `math.min and math.max take numbers as texts: the others (${of})`,
      from: 'loop; local.get 2; local.get 1; local.get 0',
      to: `loop; ${toNumber('local.get 2')}; local.get 2; local.get 1; local.get 0`,
    },
  ]),
  {
    of: '403',
    why: 'math.random(0) is an empty interval',
    from: 'local.tee 1; i64.const 0; i64.ne',
    to: 'local.tee 1; drop; i32.const 1',
  },
  {
    of: '492',
    why: 'a search that begins behind the end begins at the end',
    from: 'local.get 3; i32.const 1; i32.sub; local.tee 8; local.get 5; i32.gt_u; br_if 0',
    to: `
      local.get 3; i32.const 1; i32.sub; local.tee 8; local.get 5;
      local.get 8; local.get 5; i32.lt_u; select; local.set 8`,
  },
  {
    of: '495',
    why: 'string.gmatch finds the empty match behind a match',
    from: `
      local.get 2; local.get 1; i32.load offset=8; i32.eq; br_if 0;
      local.get 1; local.get 2; i32.store offset=0`,
    to: 'local.get 1; local.get 2; local.get 2; local.get 0; i32.eq; i32.add; i32.store offset=0',
  },
  {
    of: '496',
    why: 'string.gsub replaces the empty match behind a match',
    from: 'local.get 2; local.get 9; i32.eq; br_if 0',
    to: '',
  },
  {
    of: '496',
    why: 'string.gsub copies the character behind an empty match',
    from: 'end; local.get 9; local.tee 2; end',
    to: `end;
      local.get 9; local.get 4; i32.ne;
      if_i32;
        local.get 9;
      else;
        local.get 4; local.get 1; i32.load offset=576; i32.ge_u; br_if 2;
        local.get 1; i32.const 40; i32.add; local.get 4; i32.const 1; call $luaL_addlstring;
        local.get 4; i32.const 1; i32.add;
      end;
      end`,
  },
  {
    of: '496',
    why: 'string.gsub takes `%x` in a replacement for `x`; a `%` at its end stays an error',
    from: `
      local.get 1; i32.const 37; i32.store offset=16;
      local.get 3; i32.const 4364; local.get 1; i32.const 16; i32.add; call 120; drop`,
    to: `
      local.get 2;
      if;
        local.get 1; i32.const 40; i32.add; local.get 5; i32.const 1; i32.add; i32.const 1;
        call $luaL_addlstring;
      else;
        local.get 1; i32.const 37; i32.store offset=16;
        local.get 3; i32.const 4364; local.get 1; i32.const 16; i32.add; call 120; drop;
      end`,
  },
]
