import { defineTexts } from '../../ui/texts.ts'

/** The name of the page of the own account. */
export const accountTexts = defineTexts({
  title: ['My account', 'Mein Konto'],
})
