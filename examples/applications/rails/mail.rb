Rails.application.configure do
  config.action_mailer.delivery_method = :smtp
  config.action_mailer.smtp_settings = {
    address: ENV.fetch('SMTP_HOST', '127.0.0.1'),
    port: ENV.fetch('SMTP_PORT', 2525).to_i
  }
end
