import { Checkbox, NativeSelect, Textarea } from '@mantine/core'
import { isWhole, type Rule } from '../../ui/forms.ts'
import { defineGerman, defineTexts, useTexts } from '../../ui/texts.ts'

const texts = defineTexts({
  least: (chars: number) => [
    `must have at least ${chars} characters`,
    `muss mindestens ${chars} Zeichen haben`,
  ],
  most: (chars: number) => [
    `must have at most ${chars} characters`,
    `darf höchstens ${chars} Zeichen haben`,
  ],
  number: ['must be a whole number', 'muss eine ganze Zahl sein'],
  from: (least: number) => [
    `must be a whole number, ${least} or more`,
    `muss eine ganze Zahl ab ${least} sein`,
  ],
  range: (least: number, most: number) => [
    `must be a whole number from ${least} to ${most}`,
    `muss eine ganze Zahl von ${least} bis ${most} sein`,
  ],
})

/** The German of sentences of the contract about texts that do not match. */
export const ruleTexts = defineGerman({
  'must be 2 to 63 lower-case letters and digits, a letter first':
    'muss aus 2 bis 63 Kleinbuchstaben und Ziffern bestehen, zuerst ein Buchstabe',
  'must be a certificate as PEM text': 'muss ein Zertifikat als PEM-Text sein',
  'must be an e-mail address': 'muss eine E-Mail-Adresse sein',
  'must be the name of a service, or the id of a solution or connector':
    'muss der Name eines Dienstes oder die Kennung einer Lösung oder eines Konnektors sein',
})

/** Returns what finds the fault of a typed text; undefined if it may be sent. */
export function useRules() {
  const t = useTexts(texts)
  const own = useTexts(ruleTexts)
  const words = (sentence: string) => own[sentence] ?? sentence
  /** @param isNeeded left out: as the contract says. */
  const faultFor = (rule: Rule = {}, text: string, isNeeded = needsText(rule)) => {
    if (text.trim() === '') return isNeeded ? t.needed : undefined
    if (rule.type === 'integer') return isInRange(rule, text) ? undefined : formatRange(rule)
    const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, rule: sentence } = rule
    const chars = [...text].length
    const isMatch = pattern === undefined || new RegExp(pattern, 'u').test(text)
    if (sentence !== undefined && (!isMatch || chars > maxLength)) return words(sentence)
    if (chars > maxLength) return t.most(maxLength)
    return chars < minLength ? t.least(minLength) : undefined
  }
  const formatRange = ({ minimum, maximum }: Rule) => {
    if (minimum === undefined) return t.number
    return maximum === undefined ? t.from(minimum) : t.range(minimum, maximum)
  }
  return { faultFor, words }
}

function needsText({ isNeeded, minLength = 0, type, isNullable }: Rule): boolean {
  return isNeeded === true || minLength > 0 || (type === 'integer' && !isNullable)
}

function isInRange({ minimum = 0, maximum = Number.POSITIVE_INFINITY }: Rule, text: string) {
  return isWhole(text) && Number(text) >= minimum && Number(text) <= maximum
}

/** The input that the contract asks for, with its choices. */
export function inputFor({ type, choices }: Rule = {}) {
  if (choices !== undefined) return { as: NativeSelect, data: choices }
  if (type === 'boolean') return { as: Checkbox }
  if (type === 'array') return { as: Textarea, rows: 2 }
  return type === 'integer' && ({ inputMode: 'numeric', autoComplete: 'off' } as const)
}
