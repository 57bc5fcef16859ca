import { defineTexts } from '../../ui/texts.ts'

/** The names of the parts of Setup. */
export const setupTexts = defineTexts({
  title: ['Setup', 'Einrichtung'],
  users: ['Users', 'Benutzer'],
  invitations: ['Invitations', 'Einladungen'],
  roles: ['Roles', 'Rollen'],
  groups: ['Groups', 'Gruppen'],
  tokens: ['API tokens', 'API-Tokens'],
  'sign-in': ['Sign-in', 'Anmeldung'],
  audit: ['Audit log', 'Änderungsprotokoll'],
  limits: ['Limits and use', 'Grenzen und Nutzung'],
  health: ['Health', 'Betriebszustand'],
  whole: ['whole business', 'ganzes Unternehmen'],
  hidden: ['of other groups', 'andere Gruppen'],
})

export type ViewName = Exclude<keyof typeof setupTexts.en, 'title' | 'whole' | 'hidden'>
