import { Fault } from '../../../foundation/kernel/index.ts'
import { pipelineLimits } from '../limits.ts'

/** Computes an expression from the values of its names. */
export type Compute = (values: ReadonlyMap<string, number>) => number

/** The functions of expressions, and how many arguments each takes, at least and at most. */
export const expressionFunctions = {
  abs: [Math.abs, 1, 1],
  sqrt: [Math.sqrt, 1, 1],
  exp: [Math.exp, 1, 1],
  ln: [Math.log, 1, 1],
  log10: [Math.log10, 1, 1],
  round: [Math.round, 1, 1],
  floor: [Math.floor, 1, 1],
  ceil: [Math.ceil, 1, 1],
  min: [Math.min, 1, 20],
  max: [Math.max, 1, 20],
} as const satisfies Record<string, readonly [(...numbers: number[]) => number, number, number]>

const tokens = /\s*(?:(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([a-z]\w*)|(.))/gsy

type Token = { readonly kind: 'number' | 'name' | 'sign'; readonly text: string }

/**
 * Parses an expression of numbers, names, `+ - * / % ^`, parentheses and functions. Nothing of it
 * is run as code. @throws Fault invalid_argument, saying what is wrong.
 */
export function parseExpression(text: string, names: readonly string[]): Compute {
  if (text.length > pipelineLimits.expressionCharsMax) {
    throw refused(`it has at most ${pipelineLimits.expressionCharsMax} characters`)
  }
  return new Parser(splitTokens(text.trim()), new Set(names)).parse()
}

function splitTokens(text: string): Token[] {
  return [...text.matchAll(tokens)].map(([, number, name, sign = '']) => {
    if (number !== undefined) return { kind: 'number', text: number }
    return name === undefined ? { kind: 'sign', text: sign } : { kind: 'name', text: name }
  })
}

function refused(why: string): Fault {
  return new Fault('invalid_argument', `The constant "expression": ${why}.`)
}

const sums = {
  '+': (a: number, b: number) => a + b,
  '-': (a: number, b: number) => a - b,
} as const
const products = {
  '*': (a: number, b: number) => a * b,
  '/': (a: number, b: number) => a / b,
  '%': (a: number, b: number) => a % b,
} as const

/** Recursive descent; the number of characters bounds its depth. */
class Parser {
  readonly #tokens: readonly Token[]
  readonly #names: ReadonlySet<string>
  #at = 0

  constructor(tokens: readonly Token[], names: ReadonlySet<string>) {
    this.#tokens = tokens
    this.#names = names
  }

  parse(): Compute {
    const compute = this.#sum()
    const rest = this.#tokens[this.#at]
    if (rest !== undefined) throw refused(`"${rest.text}" is not expected`)
    return compute
  }

  #sum(): Compute {
    return this.#chain(sums, () => this.#product())
  }

  #product(): Compute {
    return this.#chain(products, () => this.#signed())
  }

  /** Operators of one rank, from left to right. */
  #chain(
    operators: Readonly<Record<string, (a: number, b: number) => number>>,
    next: () => Compute,
  ): Compute {
    let left = next()
    for (;;) {
      const { kind, text } = this.#tokens[this.#at] ?? { kind: 'sign', text: '' }
      const apply = kind === 'sign' && Object.hasOwn(operators, text) ? operators[text] : undefined
      if (apply === undefined) return left
      this.#at += 1
      const [before, right] = [left, next()]
      left = (values) => apply(before(values), right(values))
    }
  }

  #signed(): Compute {
    if (this.#takes('+')) return this.#signed()
    if (!this.#takes('-')) return this.#power()
    const positive = this.#signed()
    return (values) => -positive(values)
  }

  /** From right to left, and before a sign: -2 ^ 2 is -4. */
  #power(): Compute {
    const base = this.#atom()
    if (!this.#takes('^')) return base
    const exponent = this.#signed()
    return (values) => base(values) ** exponent(values)
  }

  #atom(): Compute {
    const token = this.#tokens[this.#at]
    if (token === undefined) throw refused('it ends too early')
    this.#at += 1
    if (token.kind === 'number') {
      const number = Number(token.text)
      return () => number
    }
    if (token.kind === 'name') return this.#named(token.text)
    if (token.text !== '(') throw refused(`"${token.text}" is not expected`)
    const inner = this.#sum()
    this.#expect(')')
    return inner
  }

  #named(name: string): Compute {
    if (this.#names.has(name)) return (values) => values.get(name) ?? Number.NaN
    if (!Object.hasOwn(expressionFunctions, name)) throw refused(`"${name}" is not known`)
    const [apply, least, most] = expressionFunctions[name as keyof typeof expressionFunctions]
    this.#expect('(')
    const given = [this.#sum()]
    while (this.#takes(',')) given.push(this.#sum())
    this.#expect(')')
    if (given.length < least || given.length > most) {
      throw refused(`"${name}" takes ${least === most ? least : `${least} to ${most}`} arguments`)
    }
    const call = apply as (...numbers: number[]) => number
    return (values) => call(...given.map((one) => one(values)))
  }

  #takes(text: string): boolean {
    const token = this.#tokens[this.#at]
    if (token?.kind !== 'sign' || token.text !== text) return false
    this.#at += 1
    return true
  }

  #expect(text: string): void {
    if (!this.#takes(text)) throw refused(`"${text}" is missing`)
  }
}
