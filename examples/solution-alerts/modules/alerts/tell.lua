local must = require("alerts.must")

-- Whoever is bound with the tag hears it, over whatever channel.
return function(station, temperature)
  return must(Notification.send {
    ServiceSid = "IS00000000000000000000000000000001",
    Tag = "alerts",
    Title = station .. " is critical",
    Body = string.format("It is %.1f °C there.", temperature),
    Data = { station = station, temperature = temperature },
    Sms = { from = "+15550009999" },
  })
end
