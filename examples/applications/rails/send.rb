# Stands in for an application with this configuration.
require 'logger'
require 'action_mailer/railtie'

class Application < Rails::Application
  config.eager_load = false
  config.logger = Logger.new(IO::NULL)
end

require_relative 'mail'
Rails.application.initialize!

class Welcome < ActionMailer::Base
  def code
    mail(from: 'app@example.test', to: ENV.fetch('TO'), subject: 'Welcome', body: 'Your code is 482913')
  end
end

Welcome.code.deliver_now
