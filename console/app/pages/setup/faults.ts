import { defineTexts, useTexts } from '../../ui/texts.ts'

const texts = defineTexts({
  needed: ['This is needed.', 'Diese Angabe fehlt.'],
  email: ['This is no e-mail address.', 'Das ist keine E-Mail-Adresse.'],
  number: ['A whole number from 1.', 'Eine ganze Zahl ab 1.'],
})

type FaultTexts = (typeof texts)['en']

/** The sentences about a wrong field. */
export function useFaultTexts(): FaultTexts {
  return useTexts(texts)
}

export function emailFault(email: string, t: FaultTexts): { email?: string } {
  if (email === '') return { email: t.needed }
  return /^\S+@\S+$/.test(email) ? {} : { email: t.email }
}

/** The server decides about its least length, which an operator may set. */
export function passwordFault(password: string, t: FaultTexts): { password?: string } {
  return password === '' ? { password: t.needed } : {}
}
