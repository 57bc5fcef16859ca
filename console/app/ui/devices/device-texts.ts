import { defineTexts } from '../texts.ts'

/** The statuses of devices in words. */
export const statusTexts = defineTexts({
  whitelisted: ['whitelisted', 'freigegeben'],
  provisioned: ['provisioned', 'provisioniert'],
  locked: ['locked', 'gesperrt'],
  reprovision: ['reprovision', 'erneut aktivieren'],
  expired: ['expired', 'abgelaufen'],
  devmode: ['devmode', 'Entwicklermodus'],
})
