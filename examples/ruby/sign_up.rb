require 'json'
require 'net/http'
require 'net/smtp'
require 'securerandom'
require 'timeout'

URL = ENV.fetch('MAYFLY_URL', 'http://127.0.0.1:8080')
DOMAIN = ENV.fetch('MAYFLY_DOMAIN', 'inbox.example.com')

# A new address for each test.
class Inbox
  attr_reader :address

  def initialize
    @name = "rb-#{SecureRandom.hex(8)}"
    @address = "#{@name}@#{DOMAIN}"
  end

  # The newest email that matches: wait(hasOtp: true, subject: 'confirm', after: email['receivedAt']).
  def wait(timeout: 20, **wanted)
    Timeout.timeout(timeout) do
      loop do
        # Ends with the email or after 30 s.
        data = get('stream', wanted)[/^data: (.*)$/, 1]
        return JSON.parse(data) unless data.nil? || data == '__timeout__'
      end
    end
  rescue Timeout::Error
    came = JSON.parse(get('summary'))['emails'].map { |mail| "#{mail['subject'].inspect}, code #{mail['otp'] || 'none'}" }
    raise "Waited #{timeout} s for #{wanted}. To #{address} came: #{came.empty? ? 'nothing' : came.join('; ')}"
  end

  private

  def get(what, query = {})
    answer = Net::HTTP.get_response(URI("#{URL}/api/inbox/#{@name}/#{what}?#{URI.encode_www_form(query)}"))
    answer.is_a?(Net::HTTPOK) ? answer.body : raise("Mayfly answered #{answer.code}: #{answer.body}")
  end
end

# Stands in for your application, which emails a code to new users.
def sign_up(email)
  mail = "From: app@example.test\r\nTo: #{email}\r\nSubject: Welcome\r\n\r\nYour code is 482913\r\n"
  host, port = ENV.fetch('SMTP_HOST', '127.0.0.1'), ENV.fetch('SMTP_PORT', 2525).to_i
  Net::SMTP.start(host, port) { |smtp| smtp.send_message(mail, 'app@example.test', email) }
end

inbox = Inbox.new
sign_up(inbox.address)
puts inbox.wait(hasOtp: true)['otp']
