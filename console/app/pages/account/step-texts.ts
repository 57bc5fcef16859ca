import { defineTexts } from '../../ui/texts.ts'

/** The texts about the second step. */
export const stepTexts = defineTexts({
  title: ['Second step', 'Zweiter Schritt'],
  on: ['on', 'ein'],
  about: [
    'With a second step nobody signs in by your password alone: an app shows a code.',
    'Mit einem zweiten Schritt genügt Ihr Passwort allein nicht: Eine App zeigt einen Code.',
  ],
  left: (count: number) => [
    `${count} recovery codes are left.`,
    `${count} Wiederherstellungscodes sind übrig.`,
  ],
  demanded: [
    'Your business demands a second step.',
    'Ihr Unternehmen verlangt einen zweiten Schritt.',
  ],
  setUp: ['Set up a second step', 'Zweiten Schritt einrichten'],
  next: ['Next', 'Weiter'],
  confirm: ['Confirm', 'Bestätigen'],
  password: ['Your password', 'Ihr Passwort'],
  add: [
    'Add Millrace to an app that shows codes: type the key into it, or open the address.',
    'Fügen Sie Millrace einer App hinzu, die Codes zeigt: Tippen Sie den Schlüssel ein oder ' +
      'öffnen Sie die Adresse.',
  ],
  key: ['Key for the app', 'Schlüssel für die App'],
  address: [
    'Address of the key, as a QR code has it',
    'Adresse des Schlüssels, wie ein QR-Code sie hat',
  ],
  code: ['Code', 'Code'],
  codeHint: [
    'The six digits that your app shows now.',
    'Die sechs Ziffern, die Ihre App jetzt zeigt.',
  ],
  renew: ['Make new recovery codes', 'Neue Wiederherstellungscodes'],
  renewLoss: [
    'The recovery codes of before are not taken any more.',
    'Die bisherigen Wiederherstellungscodes gelten dann nicht mehr.',
  ],
  remove: ['Remove the second step', 'Zweiten Schritt entfernen'],
  removeLoss: [
    'From then on your password alone signs you in.',
    'Danach genügt Ihr Passwort allein zur Anmeldung.',
  ],
  keep: ['Keep your recovery codes', 'Wiederherstellungscodes aufbewahren'],
  once: [
    'Each of them is taken once in place of your app. They are not shown again.',
    'Jeder gilt einmal statt Ihrer App. Sie werden nicht noch einmal gezeigt.',
  ],
  kept: ['I have kept them', 'Ich habe sie aufbewahrt'],
})
