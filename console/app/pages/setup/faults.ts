import { defineTexts, useTexts } from '../../ui/texts.ts'

const texts = defineTexts({
  email: ['This is no e-mail address.', 'Das ist keine E-Mail-Adresse.'],
})

/** Returns what is wrong with an e-mail address. */
export function useEmailFault(): (email: string) => string | false {
  const t = useTexts(texts)
  return (email) => !/^\S+@\S+$/.test(email) && t.email
}
