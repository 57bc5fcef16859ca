import type { Patch } from './library-patches.ts'

/** The amount by which `nCcalls` counts a C function through which nothing may yield. */
const nonYieldable = 65_536

/** Numbers of events in Lua's table of metamethods. */
const events = { eq: 5, lt: 20, le: 21 }

/** Numbers of tokens: the first reserved word is 256. */
const tokens = { goto: 265, endOfStream: 288, name: 291 }
/** The value of the text `goto` in `extra`, as a reserved word. */
const gotoWord = tokens.goto - 255

/** Bits of a function's `is_vararg`: it has `...`; it has `arg`, which is used, which is hidden. */
const varargs = { any: 1, arg: 2, used: 4, hidden: 8 }

/** Tests that the metamethods of both operands for an event are there and the same. */
function sameMetamethod(one: string, other: string, event: string): string {
  const metamethod = (of: string) => `local.get 0; ${of}; ${event}; call 547`
  return `i32.const 0; ${metamethod(one)}; ${metamethod(other)}; call 572`
}

const both = (event: string) => sameMetamethod('local.get 1', 'local.get 2', event)
const loadType = (index: number) =>
  `local.get ${index}; i32.load8_u offset=8; i32.const 15; i32.and`
const loadFlags = (fs: number) => `local.get ${fs}; i32.load; i32.load8_u offset=7`
const setFlag = (fs: number, flag: number) =>
  `local.get ${fs}; i32.load; ${loadFlags(fs)}; i32.const ${flag}; i32.or; i32.store8 offset=7`

/** Operators of values with metamethods. */
const operators: readonly Patch[] = [
  ...['12', '24'].map((offset) => ({
    of: '572',
    why: `== calls __eq if both operands have the same one (metatable at ${offset})`,
    from: `
      i32.const 0; local.set 5; local.get 0; i32.eqz; br_if ${offset === '12' ? 5 : 4};
      block; local.get 4; i32.load offset=${offset}`,
    to: `
      i32.const 0; local.set 5; local.get 0; i32.eqz; br_if ${offset === '12' ? 5 : 4};
      local.get 4; i32.load offset=${offset}; local.get 3; i32.load offset=${offset}; i32.ne;
      if;
        ${both(`i32.const ${events.eq}`)}; i32.eqz; br_if ${offset === '12' ? 6 : 5};
      end;
      block; local.get 4; i32.load offset=${offset}`,
  })),
  {
    of: '553',
    why: '< calls __lt, and <= calls __le or else not (b < a), if both operands have the same one',
    from: `
      local.get 0; local.get 1; local.get 2; local.get 0; i32.load offset=12; local.get 3; call 551;
      if`,
    to: `
      ${loadType(1)}; ${loadType(2)}; i32.ne;
      if;
        local.get 0; local.get 1; local.get 2; call 279;
      end;
      ${both('local.get 3')};
      if_i32;
        local.get 0; local.get 1; local.get 2; local.get 0; i32.load offset=12; local.get 3;
        call 551;
      else;
        i32.const 0;
      end;
      if`,
  },
  {
    of: '553',
    why: 'the call of __lt for <= must not yield',
    from: 'local.get 0; local.get 1; local.get 2; call 279; unreachable',
    to: `
      local.get 3; i32.const ${events.le}; i32.eq;
      if;
        ${both(`i32.const ${events.lt}`)};
        if;
          local.get 0; local.get 0; i32.load offset=96; i32.const ${nonYieldable}; i32.add;
          i32.store offset=96;
          local.get 0; local.get 2; local.get 1; local.get 0; i32.load offset=12;
          i32.const ${events.lt}; call 551; local.set 3;
          local.get 0; local.get 0; i32.load offset=96; i32.const ${nonYieldable}; i32.sub;
          i32.store offset=96;
          local.get 3;
          if;
            local.get 0; i32.load offset=12; i32.load8_u offset=8; local.tee 0; i32.const 1; i32.ne;
            local.get 0; i32.const 15; i32.and; i32.const 0; i32.ne; i32.and; i32.eqz; return;
          end;
        end;
      end;
      local.get 0; local.get 1; local.get 2; call 279; unreachable`,
  },
  {
    of: '554',
    why: 'a number in the source is never compared with a table or a text',
    from: 'local.get 5; call 551; i32.eqz',
    to: 'local.get 5; drop; drop; drop; drop; drop; i32.const 1',
  },
  {
    of: 'lua_len',
    why: 'the length of a table is not its __len: in C',
    from: 'local.tee 4; i32.load offset=24; local.tee 3; i32.eqz; br_if 0',
    to: 'local.tee 4; i32.load offset=24; local.tee 3; drop; br 0',
  },
  {
    of: '575',
    why: 'the length of a table is not its __len: in scripts',
    from: `
      local.tee 1; i32.load offset=24; local.tee 4; i32.eqz; br_if 0; local.get 4;
      i32.load8_u offset=6; i32.const 16; i32.and`,
    to: `
      local.tee 1; i32.load offset=24; local.tee 4; drop; br 0; local.get 4;
      i32.load8_u offset=6; i32.const 16; i32.and`,
  },
]

/** `goto` is a name, unless it begins a statement and a name follows. */
const gotoName: readonly Patch[] = [
  {
    of: '372',
    why: '`goto` is a name for the lexer',
    from: `
      i32.load8_u offset=6; local.tee 0; i32.eqz; br_if 1; local.get 0; i32.const 255;
      i32.add`,
    to: `
      i32.load8_u offset=6; local.tee 0; i32.eqz; br_if 1;
      i32.const ${tokens.name}; local.get 0; i32.const 255; i32.add; local.get 0;
      i32.const ${gotoWord}; i32.eq; select`,
  },
  {
    of: '450',
    why: '`goto` and a name at the beginning of a statement are a jump',
    from: 'local.get 0; i32.load offset=16; local.tee 1; i32.const 257; i32.sub',
    to: `
      local.get 0; i32.load offset=16; local.tee 1; i32.const ${tokens.name}; i32.eq;
      if;
        local.get 0; i32.load offset=24; i32.load8_u offset=6; i32.const ${gotoWord}; i32.eq;
        if;
          local.get 0; local.get 0; local.get 0; i32.const 40; i32.add; call 372;
          i32.store offset=32;
          local.get 0; i32.load offset=32; i32.const ${tokens.name}; i32.eq;
          if;
            i32.const ${tokens.goto}; local.set 1;
          end;
        end;
      end;
      local.get 1; i32.const 257; i32.sub`,
  },
]

/** A new local variable `arg`, in the parser of a function whose state is `fs`. */
const declareArg = `
  local.get 0; i32.const 4222; i32.const 3; call 370; local.set 9;
  local.get 0; i32.load offset=68; local.tee 4; i32.load offset=4; i32.const 1; i32.add;
  local.tee 8; local.get 2; i32.load offset=40; i32.sub; i32.const 201; i32.ge_s;
  if;
    local.get 2; i32.const 200; i32.const 2243; call 453;
  end;
  local.get 4; local.get 0; i32.load offset=52; local.get 4; i32.load; local.get 8; local.get 4;
  i32.const 8; i32.add; i32.const 24; i32.const 65535; i32.const 2243; call 405; local.tee 8;
  i32.store;
  local.get 4; local.get 4; i32.load offset=4; local.tee 4; i32.const 1; i32.add;
  i32.store offset=4;
  local.get 8; local.get 4; i32.const 24; i32.mul; i32.add; local.tee 4;
  local.get 9; i32.store offset=16;
  local.get 4; i32.const 0; i32.store8 offset=9;
  local.get 0; i32.const 1; call 460`

/** Hides `arg` if a parameter has its name. */
const hideBehindParameter = `
  i32.const 0; local.set 11;
  loop;
    local.get 11; local.get 2; i32.load; i32.load8_u offset=6; i32.lt_u;
    if;
      local.get 0; i32.load offset=68; i32.load; local.get 2; i32.load offset=40; local.get 11;
      i32.add; i32.const 24; i32.mul; i32.add; i32.load offset=16; local.get 9; i32.eq;
      if;
        ${setFlag(2, varargs.hidden)};
      end;
      local.get 11; i32.const 1; i32.add; local.set 11; br 1;
    end;
  end`

/** The number of arguments behind the parameters: local 5 counts the function, too. */
const extra = 'local.get 5; local.get 10; i32.sub; i32.const 1; i32.sub'
/** These arguments as a table on the stack. */
const makeArg = `
  local.get 0; ${extra}; i32.const 1; call $lua_createtable;
  i32.const 0; local.set 2;
  loop;
    local.get 2; ${extra}; i32.lt_s;
    if;
      local.get 0; i32.load offset=12; local.tee 8;
      local.get 7; i32.load; local.get 2; ${extra}; i32.sub; i32.const 4; i32.shl; i32.add;
      local.tee 9; i64.load; i64.store;
      local.get 8; local.get 9; i32.load8_u offset=8; i32.store8 offset=8;
      local.get 0; local.get 8; i32.const 16; i32.add; i32.store offset=12;
      local.get 2; i32.const 1; i32.add; local.set 2;
      local.get 0; i32.const -2; local.get 2; i64.extend_i32_s; call $lua_rawseti;
      br 1;
    end;
  end;
  local.get 0; ${extra}; i64.extend_i32_s; call $lua_pushinteger;
  local.get 0; i32.const -2; i32.const 3177; call $lua_setfield`

/**
 * The table `arg` of a function with `...`. It is made only for a function that names `arg` and
 * does not use `...`. Behind the first `...` the name is that of a variable outside, as in LuaJIT.
 */
const arg: readonly Patch[] = [
  {
    of: '461',
    why: 'a function with `...` has a local variable `arg`',
    from: `
      i32.const 81; local.get 4; i32.const 0; i32.const 0; call 200; drop; local.get 2;
      i32.load8_u offset=50; local.set 4`,
    to: `
      i32.const 81; local.get 4; i32.const 0; i32.const 0; call 200; drop;
      ${setFlag(2, varargs.arg)}; ${declareArg}; ${hideBehindParameter}; local.get 2;
      i32.load8_u offset=50; local.set 4`,
  },
  {
    of: '455',
    why: '`...` takes the table from `arg`, which it hides from then on',
    from: 'i32.load8_u offset=7; i32.eqz; br_if 6',
    to: `
      i32.load8_u offset=7; i32.eqz; br_if 6;
      ${loadFlags(4)}; i32.const ${varargs.arg}; i32.and;
      if;
        local.get 4; i32.load; i32.const ${varargs.any | varargs.arg | varargs.hidden};
        i32.store8 offset=7;
      end`,
  },
  {
    of: '468',
    why: 'the use of a name finds `arg` unless it is hidden',
    from: 'i32.load offset=16; local.get 1; i32.ne; br_if 0',
    to: `
      i32.load offset=16; local.get 1; i32.ne; br_if 0;
      ${loadFlags(0)}; i32.const ${varargs.arg}; i32.and;
      if;
        local.get 4; local.get 0; i32.load; i32.load8_u offset=6; i32.eq;
        if;
          ${loadFlags(0)}; i32.const ${varargs.hidden}; i32.and; br_if 2;
          ${setFlag(0, varargs.used)};
        end;
      end`,
  },
  {
    of: '575',
    why: 'a call sets `arg`: to the table if it is used, else to nil',
    from: `
      local.get 7; local.get 7; i32.load offset=4; local.get 1; i32.add; i32.store offset=4;
      i32.const 0; local.set 4; local.get 7; i32.load offset=20`,
    to: `
      local.get 7; local.get 7; i32.load offset=4; local.get 1; i32.add; i32.store offset=4;
      local.get 17; i32.load offset=12; i32.load8_u offset=7; local.tee 1;
      i32.const ${varargs.arg}; i32.and;
      if;
        local.get 1; i32.const ${varargs.used}; i32.and;
        if;
          ${makeArg};
        else;
          local.get 0; i32.load offset=12; i32.const 0; i32.store8 offset=8;
        end;
      end;
      i32.const 0; local.set 4; local.get 7; i32.load offset=20`,
  },
]

/** The changes that make the language of Lua 5.4 that of Lua 5.1. */
export const languagePatches: readonly Patch[] = [operators, gotoName, arg].flat()
