# Sends each message that first-mail.full.test.ts planned, with the library's default settings. Prints each result.
require 'json'
require 'mail'
require 'net/smtp'

def net_smtp(mail)
  message = "From: app@app.test\r\nTo: #{mail['to']}\r\nSubject: Hello\r\n\r\n#{mail['text']}\r\n"
  Net::SMTP.start(mail['host'], mail['port'], user: mail['user'], secret: mail['password']) do |smtp|
    smtp.send_message(message, 'app@app.test', mail['to'])
  end
end

def mail_gem(mail)
  message = Mail.new(from: 'app@app.test', to: mail['to'], subject: 'Hello', body: mail['text'])
  settings = { address: mail['host'], port: mail['port'] }
  settings.update(user_name: mail['user'], password: mail['password']) if mail['user']
  message.delivery_method(:smtp, settings)
  message.deliver!
end

SEND = { 'Ruby Net::SMTP' => method(:net_smtp), 'Ruby mail gem' => method(:mail_gem) }.freeze

JSON.parse(ARGV[0]).each do |mail|
  SEND.fetch(mail['library']).call(mail)
  puts "#{mail['to']} sent"
rescue StandardError => e
  puts "#{mail['to']} #{e.message.split.join(' ')}"
end
