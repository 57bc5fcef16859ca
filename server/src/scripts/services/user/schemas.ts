import {
  countChars,
  limits,
  refuseText,
  StrictObject,
  Type,
} from '../../../foundation/kernel/index.ts'

/** The fewest characters of a password of a solution's user. */
const solutionPasswordCharsMin = 8
/** The most characters of a password of a solution's user. */
const solutionPasswordCharsMax = 200

/** The result of a write. */
export const written = StrictObject({ status: Type.Literal(204) })

export const idSchema = () =>
  Type.Integer({
    description: 'The number of the user.',
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    digitsAsNumber: true,
    rule: 'must be the number of a user',
    missing: 'must be given',
  })

export const emailSchema = () =>
  Type.Refine(
    Type.String({
      description: 'The e-mail address, in any letter case.',
      rule: 'must be an e-mail address',
      missing: 'must be given',
    }),
    (text) => text.length <= limits.emailCharsMax && /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(text),
    () => 'must be an e-mail address',
  )

/** A password that is set. */
export const password = (description: string) =>
  Type.Refine(
    Type.String({ description, rule: 'must be a text', missing: 'must be given' }),
    (text) => refusePassword(text) === undefined,
    (text) => refusePassword(text) ?? '',
  )

function refusePassword(text: string): string | undefined {
  const least = solutionPasswordCharsMin
  const most = solutionPasswordCharsMax
  const chars = text.length > most * 2 ? text.length : countChars(text)
  if (chars < least || chars > most) return `must have ${least} to ${most} characters`
  return refuseText(text, most)
}

/** A user as it is shown. */
export const userSchema = StrictObject({
  id: Type.Integer({ description: 'The number of the user in its solution.' }),
  email: Type.String(),
  name: Type.String(),
  status: Type.Integer({ description: '0: not activated, 1: active, else as it was set.' }),
  creation_date: Type.Integer({ description: 'Seconds since 1970.' }),
})
