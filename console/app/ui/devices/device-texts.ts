import { defineTexts } from '../texts.ts'

/** The statuses of devices in words. */
export const statusTexts = defineTexts(
  {
    whitelisted: 'whitelisted',
    provisioned: 'provisioned',
    locked: 'locked',
    reprovision: 'reprovision',
    expired: 'expired',
    devmode: 'devmode',
  },
  {
    de: {
      whitelisted: 'freigegeben',
      provisioned: 'provisioniert',
      locked: 'gesperrt',
      reprovision: 'erneut aktivieren',
      expired: 'abgelaufen',
      devmode: 'Entwicklermodus',
    },
  },
)
